//! The rows of the paper's table as scenes: its models, made or shared, and 200 motions each.
//!
//! **Follows** Tang, Manocha and Kim 2014, §6.1: one model goes from a random configuration towards another, past the
//! other model, which stands still. All motions of the clubs collide, and two thirds of those of the gear and the hammer.
//! **Departs**: the models of the paper are not at hand. Its bunny and knot are, where the shared folder is, with their
//! motions and truths; the others are made here, of the same names and counts.

mod collapse;
mod drops;

use super::{Case, Paper};
use crate::scenes::{
    Dice, Path, Place, Point, Shape, add, bunny_like, club, club_axis, hammer, knot, spur_gear, times, workpiece,
};
use crate::shared::{self, RigidSet};
use collapse::collapsed;
use drops::drops;
use std::path::Path as FilePath;

/// Motions of a case, as in the paper.
const MOTIONS: usize = 200;

/// All cases, in the order of the table.
pub const SLUGS: [&str; 7] = ["club-10k", "club-105k", "gear", "hammer", "bunny", "bunny-dynamics", "torusknot"];

/// One row, by its slug.
pub fn case(slug: &str) -> Option<Case> {
    make(slug, crate::shared().as_deref())
}

/// One row, with what the shared folder holds if there is one.
fn make(slug: &str, folder: Option<&FilePath>) -> Option<Case> {
    match slug {
        "club-10k" => Some(clubs("Club vs. Club, 10.5k", "club-10k", [15, 80], Paper::NONE)),
        "club-105k" => Some(clubs("Club vs. Club, 104.8k", "club-105k", [50, 237], CLUB)),
        "gear" => Some(gears()),
        "hammer" => Some(hammer_and_workpiece()),
        "bunny" => Some(bunnies(folder)),
        "bunny-dynamics" => Some(falling_bunnies(folder)),
        "torusknot" => Some(knots(folder)),
        _ => None,
    }
}

const fn figures(without_control: f64, colliding: f64, free: f64, average: f64, hca: f64, fast: f64) -> Paper {
    Paper { without_control, colliding, free, average, hca, fast }
}

const CLUB: Paper = figures(14.97, 3.6, f64::NAN, 3.6, 3.4, f64::NAN);
const GEAR: Paper = figures(55.49, 2.96, 0.0048, 1.98, 1.68, f64::NAN);
const HAMMER: Paper = figures(7.68, 2.82, 0.0052, 1.89, 1.86, f64::NAN);
const BUNNY: Paper = figures(8.64, 4.11, 0.048, 2.77, 2.77, 4.01);
const BUNNY_DYNAMICS: Paper = figures(0.41, 5.54, 0.11, 0.22, 0.15, 0.31);
const TORUSKNOT: Paper = figures(6.8, 2.81, 0.41, 2.01, 2.68, 1.96);

/// A model against itself, with nothing known.
fn alike(name: &'static str, slug: &'static str, origin: &str, shape: Shape, paths: Vec<Path>, paper: Paper) -> Case {
    let origin = format!("{origin}, {} triangles each", shape.triangles.len());
    let shapes = [shape.clone(), shape];
    Case { name, slug, origin, shapes, same: true, coherent: false, paths, known: vec![], paper }
}

fn clubs(name: &'static str, slug: &'static str, [across, along]: [usize; 2], paper: Paper) -> Case {
    let shape = club(across, along);
    let mut dice = Dice::new(0x00c1_0b00, 0);
    let paths = (0..MOTIONS).map(|_| {
        let from = random_position(&mut dice, START);
        // The middle of the moving club goes through that of the standing one somewhere, so they cannot miss.
        let through = club_axis(dice.between(-0.9, 0.8));
        let to = add(through, times(add(through, times(from, -1.0)), dice.between(0.3, 1.0)));
        motion(&mut dice, from, to)
    });
    alike(name, slug, "a generated club", shape, paths.collect(), paper)
}

fn gears() -> Case {
    let paths = random_motions(0x00e4_0001, GEAR_END);
    alike("Gear vs. Gear", "gear", "a generated spur gear", spur_gear(), paths, GEAR)
}

fn hammer_and_workpiece() -> Case {
    let shapes = [hammer(), workpiece()];
    let [n, m] = [&shapes[0], &shapes[1]].map(|s| s.triangles.len());
    Case {
        name: "Hammer vs. CAD piece",
        slug: "hammer",
        origin: format!("a generated hammer, {n} triangles, and a generated workpiece, {m} triangles"),
        shapes,
        same: false,
        coherent: false,
        paths: random_motions(0x00e4_0002, HAMMER_END),
        known: vec![],
        paper: HAMMER,
    }
}

fn bunnies(folder: Option<&FilePath>) -> Case {
    let (name, slug) = ("Bunny vs. Bunny", "bunny");
    match folder {
        Some(folder) => known(name, slug, "the shared bunny", folder, BUNNY),
        None => {
            let paths = random_motions(0x00e4_0003, BUNNY_END);
            alike(name, slug, STAND_IN, bunny_like([68, 77, 84]), paths, BUNNY)
        }
    }
}

const STAND_IN: &str = "a generated animal that stands in for the bunny (the shared one is absent)";

fn falling_bunnies(folder: Option<&FilePath>) -> Case {
    const TRIANGLES: usize = 26_400;
    let (origin, shape) = match folder {
        Some(folder) => {
            let fine = shared::mesh(&folder.join("models/bunny.obj"));
            ("the shared bunny, coarsened by collapsing edges", collapsed(&fine, TRIANGLES))
        }
        None => (STAND_IN, bunny_like([44, 44, 53])),
    };
    let paths = drops(&shape, MOTIONS);
    let case = alike("Bunny Dynamics", "bunny-dynamics", origin, shape, paths, BUNNY_DYNAMICS);
    Case { coherent: true, ..case }
}

fn knots(folder: Option<&FilePath>) -> Case {
    let (name, slug) = ("Torusknot vs. Torusknot", "torusknot");
    match folder {
        Some(folder) => known(name, slug, "the shared torus knot", folder, TORUSKNOT),
        None => {
            let paths = random_motions(0x00e4_0004, KNOT_END);
            alike(name, slug, "a generated trefoil (the shared one is absent)", knot(865, 20, 0.12), paths, TORUSKNOT)
        }
    }
}

/// A shared mesh with its motions and truths.
fn known(name: &'static str, slug: &'static str, origin: &str, folder: &FilePath, paper: Paper) -> Case {
    let RigidSet { shape, paths, truths } = RigidSet::load(folder, slug);
    Case { known: truths, ..alike(name, slug, origin, shape, paths, paper) }
}

/// Distances of the models' origins, in metres. At the start the models, of radius 1 or little more, cannot overlap.
const START: [f64; 2] = [2.05, 3.0];
/// At the end the origins are so near that the wanted share of the motions collides.
const GEAR_END: [f64; 2] = [0.8, 3.0];
const HAMMER_END: [f64; 2] = [0.2, 2.1];
const BUNNY_END: [f64; 2] = [0.2, 2.4];
const KNOT_END: [f64; 2] = [0.6, 2.6];

fn random_motions(seed: u64, end: [f64; 2]) -> Vec<Path> {
    let mut dice = Dice::new(seed, 0);
    let paths = (0..MOTIONS).map(|_| {
        let (from, to) = (random_position(&mut dice, START), random_position(&mut dice, end));
        motion(&mut dice, from, to)
    });
    paths.collect()
}

fn random_position(dice: &mut Dice, [near, far]: [f64; 2]) -> Point {
    times(dice.direction(), dice.between(near, far))
}

/// From one place to another and from any orientation to any other, but clearly less than half a turn: there the
/// shortest way would be a matter of rounding.
fn motion(dice: &mut Dice, from: Point, to: Point) -> Path {
    loop {
        let (first, last) = (orientation(dice), orientation(dice));
        let dot: f64 = first.iter().zip(last).map(|(x, y)| x * y).sum();
        // The cosine of half the angle, 3 radians at most.
        if dot.abs() > libm::cos(1.5) {
            let last = last.map(|x| x * dot.signum());
            let (from, to) = (Place { rotation: first, position: from }, Place { rotation: last, position: to });
            return Path::Between { from, to, centre: [0.0; 3] };
        }
    }
}

/// Evenly among all rotations: a direction in four dimensions.
fn orientation(dice: &mut Dice) -> [f64; 4] {
    loop {
        let q = [0; 4].map(|_| dice.between(-1.0, 1.0));
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&norm) {
            return q.map(|x| x / norm);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::{Parts, entries, motion as in_its_numbers};
    use crate::rigid::Truth;
    use crate::scenes::length;
    use avert::{Body, Budget, Check, Chord, Limits, Memory, Pose, RigidMotion, Scene, Verdict};
    use rayon::prelude::*;
    use std::ops::RangeInclusive;

    /// The library's verdicts: those that collide, and when at the earliest.
    fn contacts(case: &Case) -> Vec<Option<f64>> {
        let mut parts = case.shapes.each_ref().map(Parts::<f64>::new);
        let [first, second] = &mut parts;
        let other;
        let a = first.model().expect("the model is built");
        let b = if case.same {
            &a
        } else {
            other = second.model().expect("the model is built");
            &other
        };
        let still = RigidMotion::still(Pose::IDENTITY).expect("standing still is a motion");
        let limits = Limits { margin: 0.0, tolerance: 0.001 };
        let ask = |entries: &mut Vec<_>, path: &Path| {
            let motion = in_its_numbers(path, false).expect("the motion is taken");
            let scene = Scene::new(Body { model: &a, motion }, Body { model: b, motion: still }, limits);
            let scene = scene.expect("the scene is taken");
            let mut memory = Memory::new(entries);
            match Chord::new(&scene, &mut memory).step(&scene, Budget::UNLIMITED) {
                Verdict::Free(_) => None,
                Verdict::Contact { free_until, .. } => Some(free_until),
                Verdict::Undecided { .. } => panic!("{}: undecided", case.slug),
            }
        };
        case.paths.par_iter().map_init(|| entries(Memory::<f64>::RECOMMENDED), ask).collect()
    }

    /// FNV-1a over every bit of the shapes and paths.
    fn hash(case: &Case) -> u64 {
        let place = |p: &Place| p.rotation.into_iter().chain(p.position);
        let path = |path: &Path| match path {
            Path::Between { from, to, centre } => place(from).chain(place(to)).chain(*centre).collect::<Vec<_>>(),
            Path::Screw { .. } | Path::Velocities { .. } => panic!("{}: another motion", case.slug),
        };
        let points = case.shapes.iter().flat_map(|s| s.points.iter().flatten().copied());
        let corners = case.shapes.iter().flat_map(|s| s.triangles.iter().flatten().map(|i| u64::from(*i)));
        let words = points.chain(case.paths.iter().flat_map(path)).map(f64::to_bits).chain(corners);
        let bytes = words.flat_map(u64::to_le_bytes).map(u64::from);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ byte).wrapping_mul(0x100_0000_01b3))
    }

    /// What is said of a case is so; gives when its motions collide.
    fn check(case: &Case) -> Vec<Option<f64>> {
        let Case { slug, .. } = case;
        assert_eq!(case.paths.len(), MOTIONS, "{slug}");
        assert!(case.known.is_empty() || case.known.len() == MOTIONS, "{slug}");
        let contacts = contacts(case);
        assert!(contacts.iter().flatten().all(|t| *t > 0.0), "{slug}: a start is not free");
        for (contact, truth) in contacts.iter().zip(&case.known) {
            assert_eq!(contact.is_some(), matches!(truth, Truth::Contact { .. }), "{slug}: {truth:?}");
        }
        contacts
    }

    /// A case without the shared folder is the same on every machine, and so many of its motions collide.
    fn check_made(slug: &str, expected: u64, colliding: RangeInclusive<usize>) -> (Case, Vec<Option<f64>>) {
        let case = make(slug, None).expect("there is such a case");
        let found = hash(&case);
        assert!(found == expected, "{slug} hashes to {found:#018x}, not {expected:#018x}");
        let contacts = check(&case);
        let count = contacts.iter().flatten().count();
        assert!(colliding.contains(&count), "{slug}: {count} collide");
        (case, contacts)
    }

    #[test]
    fn all_clubs_collide() {
        check_made("club-10k", 0x9e46_f77e_0e30_ed08, 200..=200);
        check_made("club-105k", 0xe024_1ab1_0cb8_6324, 200..=200);
    }

    #[test]
    fn two_thirds_of_the_gears_and_hammers_collide() {
        check_made("gear", 0xefc6_20c1_918c_c32c, 127..=140);
        check_made("hammer", 0x70f7_ee66_f80a_9177, 127..=140);
    }

    #[test]
    fn stand_ins_collide_about_as_often_as_what_they_stand_for() {
        check_made("bunny", 0x23bb_ad32_8e9c_75d6, 130..=150);
        check_made("torusknot", 0x7b85_c3ec_489b_1776, 140..=156);
    }

    #[test]
    fn shared_cases_are_what_they_say() {
        let Some(folder) = crate::shared() else {
            return crate::skip("shared cases", "the shared folder is absent (AVERT_SHARED, or beside the project)");
        };
        for (slug, triangles, colliding) in
            [("bunny", 69_664, 138), ("torusknot", 34_600, 148), ("bunny-dynamics", 26_400, 6)]
        {
            let case = make(slug, Some(&folder)).expect("there is such a case");
            assert_eq!(case.shapes.each_ref().map(|s| s.triangles.len()), [triangles; 2], "{slug}");
            assert_eq!(check(&case).iter().flatten().count(), colliding, "{slug}");
        }
    }

    /// Few frames collide. A frame starts where the one before ended or, if that collides, on its way; or in a new drop.
    #[test]
    fn frames_follow_each_other() {
        let (case, contacts) = check_made("bunny-dynamics", 0xbbf0_e0eb_04e0_a0cf, 4..=12);
        assert!(case.coherent);
        let ends = |path: &Path| match path {
            Path::Between { from, to, .. } => [from.position, to.position],
            Path::Screw { .. } | Path::Velocities { .. } => panic!("another motion"),
        };
        let mut drops = 1;
        for (frames, contact) in case.paths.windows(2).zip(&contacts) {
            let ([from, to], [next, _]) = (ends(&frames[0]), ends(&frames[1]));
            let apart = |p: Point, q: Point| length(add(p, times(q, -1.0)));
            let (left, whole) = (apart(next, to), apart(from, to));
            if left > whole {
                drops += 1;
            } else if contact.is_none() {
                assert!(left == 0.0, "a free frame ends {left} m from the next one's start");
            }
        }
        assert_eq!(drops, 4);
    }

    #[test]
    fn the_rows_are_the_papers() {
        for slug in SLUGS.into_iter().filter(|slug| *slug != "bunny-dynamics") {
            let case = make(slug, None).expect("there is such a case");
            assert_eq!(case.slug, slug);
            let radii: f64 = case.shapes.iter().map(Shape::radius).sum();
            for path in &case.paths {
                let Path::Between { from, to, .. } = path else { panic!("{slug}: velocities") };
                assert!(length(from.position) > radii, "{slug}: a start may overlap");
                let dot: f64 = from.rotation.iter().zip(to.rotation).map(|(x, y)| x * y).sum();
                assert!(dot > 0.07, "{slug}: half a turn");
            }
        }
        assert!(make("teapot", None).is_none());
    }
}
