//! Inputs that break collision checkers, each by its name and with what must come out.

use super::{Report, Strategy, compare, entries, held};
use crate::scenes::{
    Path, Place, Point, Query, Shape, ball, block, capsule, cuboid, gear, icosphere, plate, rod, star, torus,
};
use avert::{Memory, Scalar, Verdict};
use std::f64::consts::{PI, TAU};

/// What must come out, besides being true.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expect {
    Free,
    Contact,
    /// A contact that is proved free before this, and touches after it.
    ContactAt(f64),
    /// The bodies are near from the start.
    AtStart,
    /// Anything but `Free`: the bodies touch without depth, or the numbers are too coarse to tell.
    NotFree,
    /// Any true verdict.
    True,
}

struct Case {
    name: String,
    query: Query,
    expect: Expect,
}

/// All the named cases; `seed` is not used, since nothing is left to chance, and `cases` limits how many are run.
pub fn degenerate_queries<S: Scalar>(strategy: Strategy, cases: u64, _seed: u64) -> Result<Report, String> {
    let (mut report, mut wrong) = (Report::default(), vec![]);
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    for case in all().into_iter().take(cases as usize) {
        let Case { name, query, expect } = case;
        if !suits::<S>(&query) {
            continue;
        }
        let query = held::<S>(query);
        match compare(strategy, &query, &mut entries) {
            Err(violation) => wrong.push(format!("{name}: {violation}")),
            // The published strategies' steps end sooner in fixed point, where a direction has fewer digits.
            Ok((Verdict::Undecided { .. }, one)) if !S::FLOATING && strategy != Strategy::Chord => {
                report = report.plus(one)
            }
            Ok((verdict, _)) if !fits(expect, &verdict) => {
                wrong.push(format!("{name}: expected {expect:?}, got {verdict:?}"));
            }
            Ok((_, one)) => report = report.plus(one),
        }
    }
    if wrong.is_empty() { Ok(report) } else { Err(wrong.join("\n")) }
}

/// Has the scalar room and digits for it? Floating point has, for all of these.
fn suits<S: Scalar>(query: &Query) -> bool {
    let places = query.paths.map(|path| match path {
        Path::Between { from, .. } | Path::Screw { from, .. } | Path::Velocities { from, .. } => from.position,
    });
    let far = places.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    let size = query.shapes[0].radius() + query.shapes[1].radius();
    S::FLOATING || (size > 1e-3 && size + far < S::RANGE.to_f64() / 4.0)
}

fn fits<S: Scalar>(expect: Expect, verdict: &Verdict<S>) -> bool {
    match (expect, verdict) {
        (Expect::True, _) => true,
        (Expect::Free, Verdict::Free(_)) => true,
        (Expect::Contact, Verdict::Contact { .. }) => true,
        (Expect::ContactAt(t), Verdict::Contact { free_until, touch, .. }) => {
            // The tolerance of the cases is a thousandth of their size, which is crossed in about a tenth of the time.
            free_until.to_f64() <= t && t <= touch.to_f64() + 2e-3 && touch.to_f64() - free_until.to_f64() < 2e-3
        }
        (Expect::AtStart, Verdict::Contact { free_until, .. }) => *free_until == S::ZERO,
        (Expect::NotFree, Verdict::Contact { .. } | Verdict::Undecided { .. }) => true,
        _ => false,
    }
}

fn straight(from: Point, linear: Point) -> Path {
    Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear, angular: [0.0; 3] }
}

fn turning(from: Point, angular: Point) -> Path {
    Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear: [0.0; 3], angular }
}

fn triangle(corners: [Point; 3]) -> Shape {
    Shape { points: corners.to_vec(), triangles: vec![[0, 1, 2]], hulls: vec![] }
}

/// The same triangle many times.
fn repeated(shape: &Shape, times: usize) -> Shape {
    (1..times).fold(shape.clone(), |all, _| Shape { triangles: [all.triangles, vec![[0, 1, 2]]].concat(), ..all })
}

fn all() -> Vec<Case> {
    let mut list = vec![];
    let still = Path::still(Place::IDENTITY);
    let mut case = |name: &str, shapes: [Shape; 2], paths: [Path; 2], margin: f64, expect: Expect| {
        for exact in [false, true] {
            let query = Query::new(shapes.clone(), paths, margin, 1e-3, exact);
            list.push(Case { name: format!("{name} (exact: {exact})"), query, expect });
        }
    };

    let point = || triangle([[0.0; 3]; 3]);
    let needle = || triangle([[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let sliver = || triangle([[0.0; 3], [0.5, 1e-6, 0.0], [1.0, 0.0, 0.0]]);
    let across = |gap: f64| straight([0.3, -1.0, gap], [0.0, 2.0, 0.0]);
    let upright = || triangle([[0.0, 0.0, -1.0], [0.0; 3], [0.0, 0.0, 1.0]]);
    case(
        "point through plate",
        [point(), plate(4, 1.0)],
        [straight([0.1, 0.2, -1.0], [0.0, 0.0, 2.0]), still],
        0.0,
        Expect::ContactAt(0.5),
    );
    case(
        "point beside plate",
        [point(), plate(4, 1.0)],
        [straight([1.003, 0.2, -1.0], [0.0, 0.0, 2.0]), still],
        0.0,
        Expect::Free,
    );
    case(
        "points meet head on",
        [point(), point()],
        [straight([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), straight([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0])],
        0.0,
        Expect::ContactAt(0.5),
    );
    case(
        "points pass",
        [point(), point()],
        [straight([-1.0, 0.003, 0.0], [2.0, 0.0, 0.0]), straight([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0])],
        0.0,
        Expect::Free,
    );
    case(
        "needle across needle",
        [needle(), upright()],
        [across(0.2), straight([0.5, 0.0, 0.0], [0.0; 3])],
        0.0,
        Expect::ContactAt(0.5),
    );
    case("needle over needle", [needle(), needle()], [across(0.002), still], 0.0, Expect::Free);
    case(
        "sliver across sliver",
        [sliver(), upright()],
        [across(0.2), straight([0.5, 0.0, 0.0], [0.0; 3])],
        0.0,
        Expect::Contact,
    );
    case(
        "sliver turns on a needle",
        [sliver(), needle()],
        [turning([0.0, 0.0, 0.002], [0.0, 0.0, TAU]), still],
        0.0,
        Expect::Free,
    );
    case(
        "duplicates hit",
        [repeated(&upright(), 40), repeated(&needle(), 40)],
        [straight([0.5, -1.0, 0.0], [0.0, 2.0, 0.0]), still],
        0.0,
        Expect::ContactAt(0.5),
    );
    case(
        "duplicates pass",
        [repeated(&sliver(), 40), repeated(&needle(), 40)],
        [across(0.01), still],
        0.0,
        Expect::Free,
    );

    let sheet = || plate(6, 0.5);
    let slide = |gap: f64| straight([-2.0, 0.1, gap], [4.0, 0.0, 0.0]);
    case("coplanar sliding", [sheet(), sheet()], [slide(0.0), still], 0.0, Expect::ContactAt(0.25));
    case(
        "coplanar beside",
        [sheet(), sheet()],
        [straight([-2.0, 1.01, 0.0], [4.0, 0.0, 0.0]), still],
        0.0,
        Expect::Free,
    );
    case("parallel sliding above", [sheet(), sheet()], [slide(0.01), still], 0.0, Expect::Free);
    case("parallel sliding at the margin", [sheet(), sheet()], [slide(0.25), still], 0.25, Expect::NotFree);
    case(
        "coplanar turning in place",
        [sheet(), sheet().moved([1.5, 0.0, 0.0])],
        [turning([0.0; 3], [0.0, 0.0, TAU]), still],
        0.0,
        Expect::Free,
    );

    let globe = || icosphere(2);
    let apart = Path::still(Place::at([2.5, 0.0, 0.0]));
    case("zero motion apart", [globe(), globe()], [apart, still], 0.0, Expect::Free);
    case("zero motion near", [globe(), globe()], [apart, still], 0.6, Expect::AtStart);
    case(
        "zero motion overlapping",
        [globe(), globe()],
        [Path::still(Place::at([1.5, 0.1, 0.0])), still],
        0.0,
        Expect::AtStart,
    );
    case("zero motion the same", [globe(), globe()], [still, still], 0.0, Expect::AtStart);
    let inner = || globe().scaled(0.3);
    case("one centre, still", [inner(), globe()], [still, still], 0.0, Expect::Free);
    case(
        "one centre, turning",
        [star(0, 0.3).scaled(0.7), globe()],
        [turning([0.0; 3], [0.0, 4.0, 1.0]), still],
        0.0,
        Expect::Free,
    );
    let same = Path::Between { from: Place::at([2.5, 0.0, 0.0]), to: Place::at([2.5, 0.0, 0.0]), centre: [0.0; 3] };
    case("zero motion from two poses", [globe(), globe()], [same, still], 0.0, Expect::Free);

    for turns in [0.5, 1.0, 10.0] {
        let spin = turning([0.0; 3], [0.0, 0.0, turns * TAU]);
        let post = |x: f64, y: f64| rod(6, 0.02).moved([x, 0.0, 0.0]).with(ball([x, y, 0.0], 0.02));
        // The rod starts along x and has the half length 1: it meets a ball on the y axis after a quarter turn.
        case(
            &format!("{turns} turns into a post"),
            [rod(5, 0.02), ball([0.0, 0.7, 0.0], 0.05)],
            [spin, still],
            0.0,
            Expect::Contact,
        );
        case(
            &format!("{turns} turns beside a post"),
            [rod(5, 0.02), ball([0.0, 1.06, 0.0], 0.05)],
            [spin, still],
            0.0,
            Expect::Free,
        );
        case(
            &format!("{turns} turns inside a ring"),
            [rod(5, 0.02), torus(24, 8, 0.2).scaled(1.8)],
            [spin, still],
            0.0,
            Expect::Free,
        );
        case(
            &format!("{turns} turns, mesh and ball"),
            [rod(5, 0.02), post(2.1, 0.0)],
            [spin, still],
            0.0,
            Expect::Free,
        );
    }
    case(
        "half turn over the top",
        [capsule([0.0; 3], [1.0, 0.0, 0.0], 0.01), ball([0.0, 0.0, 0.9], 0.05)],
        [turning([0.0; 3], [0.0, -PI, 0.0]), still],
        0.0,
        Expect::Contact,
    );

    case(
        "faces touch and part",
        [block([0.5; 3]), block([0.5; 3])],
        [straight([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), still],
        0.0,
        Expect::AtStart,
    );
    case(
        "solids touch and part",
        [cuboid([0.0; 3], [0.5; 3], 0.0), cuboid([0.0; 3], [0.5; 3], 0.0)],
        [straight([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), still],
        0.0,
        Expect::AtStart,
    );
    case(
        "corner touches and slides",
        [block([0.5; 3]), block([0.5; 3])],
        [straight([1.0, 1.0, 1.0], [1.0, -1.0, 0.0]), still],
        0.0,
        Expect::AtStart,
    );
    case(
        "spheres graze",
        [ball([0.0; 3], 0.5), ball([0.0; 3], 0.5)],
        [straight([-2.0, 1.0, 0.0], [4.0, 0.0, 0.0]), still],
        0.0,
        Expect::NotFree,
    );
    case(
        "spheres pass",
        [ball([0.0; 3], 0.5), ball([0.0; 3], 0.5)],
        [straight([-2.0, 1.002, 0.0], [4.0, 0.0, 0.0]), still],
        0.0,
        Expect::Free,
    );
    case(
        "spheres graze at the margin",
        [ball([0.0; 3], 0.5), ball([0.0; 3], 0.25)],
        [straight([-2.0, 1.0, 0.0], [4.0, 0.0, 0.0]), still],
        0.25,
        Expect::NotFree,
    );
    case(
        "edge grazes edge",
        [block([0.5; 3]), block([0.5; 3])],
        [straight([-2.0, 1.0, 0.3], [4.0, 0.0, 0.0]), still],
        0.0,
        Expect::NotFree,
    );
    case(
        "touches at the end",
        [block([0.5; 3]), block([0.5; 3])],
        [straight([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]), still],
        0.0,
        Expect::NotFree,
    );

    let small = || icosphere(1).scaled(0.2);
    let wobble = straight([-0.2, 0.0, 0.0], [0.4, 0.1, 0.0]);
    case("inside a surface", [small(), icosphere(2)], [wobble, still], 0.0, Expect::Free);
    case("inside a solid", [small(), cuboid([0.0; 3], [1.0; 3], 0.0)], [wobble, still], 0.0, Expect::AtStart);
    case("solid around a mesh", [cuboid([0.0; 3], [1.0; 3], 0.0), small()], [wobble, still], 0.0, Expect::AtStart);
    case(
        "out of a surface",
        [small(), icosphere(2)],
        [straight([0.0; 3], [2.0, 0.0, 0.0]), still],
        0.0,
        Expect::Contact,
    );
    case(
        "rod along a bore",
        [rod(8, 0.2), gear(12, 0.3)],
        [
            Path::Velocities {
                from: Place { rotation: crate::scenes::turn([0.0, 1.0, 0.0], PI / 2.0), position: [0.0, 0.0, -2.0] },
                centre: [0.0; 3],
                linear: [0.0, 0.0, 4.0],
                angular: [0.0, 0.0, 9.0],
            },
            still,
        ],
        0.0,
        Expect::Free,
    );
    case(
        "between the spikes",
        [rod(3, 0.01).scaled(0.3), star(0, 0.3)],
        [straight([0.0, 0.0, 3.0], [0.0, 0.0, -2.8]), still],
        0.0,
        Expect::True,
    );
    case(
        "margin larger than all",
        [small(), small()],
        [straight([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), still],
        50.0,
        Expect::AtStart,
    );

    for (name, scale) in [("huge", 1e6), ("tiny", 1e-6)] {
        let bodies = || [torus(14, 7, 0.3).scaled(scale), star(0, 0.5).scaled(scale)];
        for (what, aside, margin, expect) in [
            ("hit", 0.9, 0.0, Expect::Contact),
            ("pass", 2.1, 0.0, Expect::Free),
            ("margin", 2.1, 0.4, Expect::Contact),
        ] {
            for exact in [false, true] {
                let path = Path::Velocities {
                    from: Place {
                        rotation: crate::scenes::turn([1.0, 2.0, 3.0], 0.4),
                        position: [-3.0 * scale, aside * scale, 0.0],
                    },
                    centre: [0.2 * scale, 0.0, 0.1 * scale],
                    linear: [6.0 * scale, 0.0, 0.0],
                    angular: [0.3, -0.2, 1.5],
                };
                let query = Query::new(bodies(), [path, still], margin * scale, 1e-3 * scale, exact);
                list.push(Case { name: format!("{name} {what} (exact: {exact})"), query, expect });
            }
        }
    }

    // A micrometre of resolution is not left this far out in `f32`; whatever comes out must be true.
    for far in [1e3, 1e4, 1e5] {
        for aside in [0.9, 2.1] {
            let paths = [straight([far - 3.0, aside, far], [6.0, 0.0, 0.0]), Path::still(Place::at([far, 0.0, far]))];
            let query = Query::new([torus(14, 7, 0.3), star(0, 0.5)], paths, 0.0, 1e-3, true);
            list.push(Case { name: format!("{far} m away, {aside} aside"), query, expect: Expect::True });
        }
    }
    for (what, aside) in [("hit", 0.4), ("pass", 1.1)] {
        let paths = [straight([-3.0, aside, 0.0], [6.0, 0.0, 0.0]), still];
        let expect = if what == "pass" { Expect::Free } else { Expect::NotFree };
        let query = Query::new([block([0.5; 3]), block([0.5; 3])], paths, 0.0, 0.0, true);
        list.push(Case { name: format!("no tolerance, {what}"), query, expect });
    }
    list
}
