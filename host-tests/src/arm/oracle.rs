//! The independent oracle for whole arms: when, and between which bodies, a path first comes within a margin.
//!
//! Every pair that is to be checked is looked at wherever the greatest speed of its points leaves room for a contact, from the
//! earliest time to the latest, until the points move by less than [`RESOLUTION`] from one look to the next; in what is left of
//! such room the least distance is searched for. So a plate is not missed because it is thin. The oracle proves
//! nothing: every distance that it gives is that of two points which it has found, so a look that is too near
//! is a fact, and none is only that none was found.

use super::case::{ArmCase, CaseBody, Who};
use super::kinematics::{Kinematics, pose};
use crate::sampling::{Body, Motion};
use crate::scenes::{Point, Shape};
use crate::winding;
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::HashSet;

/// A distance is off by less than this, by rounding, in metres.
pub const SURE: f64 = 1e-9;

/// Points move by less than this between looks at bodies that may touch, in metres.
pub const RESOLUTION: f64 = 2e-4;

/// Parts of a segment with a bound on speeds each.
const SLOTS: usize = 16;

/// A time on the path.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Moment {
    pub segment: usize,
    /// From 0 to 1 in the segment.
    pub u: f64,
}

/// A distance at a time.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub at: Moment,
    pub pair: [Who; 2],
    /// Below zero for bodies that overlap; how deep is not told.
    pub distance: f64,
}

/// What was seen of a path.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The earliest time that was found at which a pair is nearer than its margin, by more than [`SURE`].
    pub first: Option<Look>,
    /// For each pair of [`ArmCase::pairs`] the nearest look; none if the pair is never near enough to need one. After the first
    /// contact nobody looks.
    pub nearest: Vec<Option<Look>>,
    /// How many distances were computed.
    pub looks: usize,
}

impl Survey {
    /// A true contact before a time: whoever says that the path is free until then is wrong.
    pub fn touches_before(&self, segment: usize, u: f64) -> Option<&Look> {
        self.first.as_ref().filter(|look| look.at < Moment { segment, u })
    }

    /// How much nearer than its margin a pair was seen; below zero if the path is free.
    pub fn depth(&self, case: &ArmCase) -> f64 {
        let looks = self.nearest.iter().flatten().chain(&self.first);
        looks.map(|look| case.margin(look.pair) - look.distance).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// What a body moves with.
#[derive(Clone, Debug)]
enum Carrier {
    /// A link, and the body's pose in its frame.
    Link(usize, Isometry3<f64>),
    Rests(Isometry3<f64>),
    /// A motion a segment, and the greatest speed of any point.
    Moves(Vec<(Motion, f64)>),
}

/// A body, ready to be measured.
#[derive(Clone, Debug)]
struct Solid {
    carrier: Carrier,
    body: Body,
    /// A ball about it.
    centre: Point3<f64>,
    radius: f64,
    /// A point on each connected part.
    parts: Vec<Point3<f64>>,
    /// Its meshes, if they are full inside.
    full: Option<Full>,
}

/// Closed meshes, and a box about them.
#[derive(Clone, Debug)]
struct Full {
    triangles: Vec<[Point; 3]>,
    low: Vector3<f64>,
    high: Vector3<f64>,
}

/// A robot on its path, among its objects.
#[derive(Clone, Debug)]
pub struct Oracle {
    kinematics: Kinematics,
    segments: usize,
    solids: Vec<(Who, Solid)>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Pair {
    who: [Who; 2],
    /// In the list of solids.
    places: [usize; 2],
    margin: f64,
    /// The joints above one of the two only.
    joints: [Vec<usize>; 2],
}

/// One end of an interval.
#[derive(Clone, Copy, Debug)]
struct End {
    u: f64,
    /// The distance, or while it is not known one that is not above it.
    distance: f64,
    exact: bool,
}

/// An interval that room is left in.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    pair: usize,
    segment: usize,
    ends: [End; 2],
}

impl Oracle {
    /// Takes a case in.
    pub fn new(case: &ArmCase) -> Self {
        let kinematics = Kinematics::new(case);
        let solid = |who: Who| {
            let body = case.body(who)?;
            let carrier = match who {
                Who::Link(i) => Carrier::Link(i, Isometry3::identity()),
                Who::Payload(i) => Carrier::Link(case.payloads[i].link, pose(&case.payloads[i].place)),
                Who::Object(i) => match &case.objects[i].motion {
                    None => Carrier::Rests(pose(&case.objects[i].place)),
                    Some(paths) => Carrier::Moves(
                        paths.iter().map(Motion::new).map(|motion| (motion, motion.speed(&body.shape))).collect(),
                    ),
                },
            };
            Some((who, Solid::new(body, carrier)))
        };
        let solids: Vec<_> = case.everyone().into_iter().filter_map(solid).collect();
        let pair = |who: [Who; 2]| {
            let place = |who| solids.iter().position(|(other, _)| *other == who);
            let places = [place(who[0])?, place(who[1])?];
            let above = places.map(|place| match solids[place].1.carrier {
                Carrier::Link(link, _) => kinematics.above(link),
                Carrier::Rests(_) | Carrier::Moves(_) => vec![],
            });
            let only = |mine: usize| above[mine].iter().copied().filter(|i| !above[1 - mine].contains(i)).collect();
            Some(Pair { who, places, margin: case.margin(who), joints: [only(0), only(1)] })
        };
        let pairs = case.pairs().into_iter().filter_map(pair).collect();
        Self { segments: case.segments.len(), kinematics, solids, pairs }
    }

    /// Where a body is at a time.
    pub fn pose(&self, who: Who, at: Moment) -> Option<Isometry3<f64>> {
        let (_, solid) = self.solids.iter().find(|(other, _)| *other == who)?;
        Some(self.pose_of(solid, at))
    }

    /// Where a link is at a time, whether it has a body or not.
    pub fn link(&self, link: usize, at: Moment) -> Isometry3<f64> {
        self.kinematics.link(at.segment, at.u, link)
    }

    /// The distance of a pair that is to be checked, at a time; none for any other pair.
    pub fn distance(&self, pair: [Who; 2], at: Moment) -> Option<f64> {
        let pair = self.pairs.iter().find(|p| p.who == pair || p.who == [pair[1], pair[0]])?;
        Some(self.measure(pair, at, &mut None))
    }

    /// The least distance of all pairs with a body, and with which, at a time, if it is below another.
    pub fn below(&self, who: Who, at: Moment, mut least: f64) -> Option<(Who, f64)> {
        let mut found = None;
        for pair in self.pairs.iter().filter(|pair| pair.who.contains(&who)) {
            if self.balls(pair, at) < least {
                let distance = self.measure(pair, at, &mut None);
                if distance < least {
                    least = distance;
                    let other = if pair.who[0] == who { pair.who[1] } else { pair.who[0] };
                    found = Some((other, distance));
                }
            }
        }
        found
    }

    fn pose_of(&self, solid: &Solid, at: Moment) -> Isometry3<f64> {
        match &solid.carrier {
            Carrier::Link(link, place) => self.link(*link, at) * place,
            Carrier::Rests(pose) => *pose,
            Carrier::Moves(paths) => paths[at.segment].0.pose(at.u),
        }
    }

    /// The distance of the balls about two bodies, not above that of the bodies.
    fn balls(&self, pair: &Pair, at: Moment) -> f64 {
        let [a, b] = pair.places.map(|place| &self.solids[place].1);
        let apart = self.pose_of(a, at) * a.centre - self.pose_of(b, at) * b.centre;
        apart.norm() - a.radius - b.radius - SURE
    }

    fn measure(&self, pair: &Pair, at: Moment, hint: &mut Option<[usize; 2]>) -> f64 {
        let [a, b] = pair.places.map(|place| &self.solids[place].1);
        let relative = self.pose_of(a, at).inverse() * self.pose_of(b, at);
        let distance = a.body.distance(&b.body, &relative, SURE, hint);
        let inside = distance > SURE && (a.holds(b, &relative) || b.holds(a, &relative.inverse()));
        if inside { -1.0 } else { distance }
    }

    /// Looks at the whole path until the first contact.
    pub fn survey(&self) -> Survey {
        self.survey_to(RESOLUTION)
    }

    /// The same with another resolution.
    pub fn survey_to(&self, resolution: f64) -> Survey {
        let mut search = Search {
            oracle: self,
            resolution,
            hints: vec![None; self.pairs.len()],
            survey: Survey { first: None, nearest: vec![None; self.pairs.len()], looks: 0 },
            leaves: vec![],
        };
        'path: for segment in 0..self.segments {
            for slot in 0..SLOTS {
                search.slot(segment, [slot, slot + 1].map(|i| i as f64 / SLOTS as f64));
                if search.survey.first.is_some() {
                    break 'path;
                }
            }
        }
        search.deepen();
        search.survey
    }
}

impl Solid {
    fn new(body: &CaseBody, carrier: Carrier) -> Self {
        let CaseBody { shape, solid } = body;
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for p in &shape.points {
            (low, high) = (low.inf(&Vector3::from(*p)), high.sup(&Vector3::from(*p)));
        }
        let centre = Point3::from((low + high) * 0.5);
        let far = shape.points.iter().map(|p| (Point3::from(*p) - centre).norm()).fold(0.0, f64::max);
        let radius = far + shape.hulls.iter().map(|hull| hull.radius).fold(0.0, f64::max);
        let triangles = || shape.triangles.iter().map(|t| t.map(|i| shape.points[i as usize])).collect();
        let full = (*solid && !shape.triangles.is_empty()).then(|| Full { triangles: triangles(), low, high });
        Self { carrier, body: Body::new(shape), centre, radius, parts: parts(shape), full }
    }

    /// Is some part of another body inside of this one's meshes? The surfaces are known not to meet.
    fn holds(&self, other: &Self, relative: &Isometry3<f64>) -> bool {
        let Some(Full { triangles, low, high }) = &self.full else { return false };
        other.parts.iter().any(|p| {
            let p = relative * p;
            let within = (0..3).all(|i| low[i] <= p[i] && p[i] <= high[i]);
            within && winding::by_angles(triangles, p.coords.into()).abs() > 0.5
        })
    }
}

/// A point on each connected part of a shape.
fn parts(shape: &Shape) -> Vec<Point3<f64>> {
    let mut open: Vec<[u32; 3]> = shape.triangles.clone();
    let mut found: Vec<u32> = shape.hulls.iter().map(|hull| hull.first as u32).collect();
    while let Some(first) = open.pop() {
        found.push(first[0]);
        let mut reached: HashSet<u32> = first.into_iter().collect();
        loop {
            let before = open.len();
            open.retain(|t| {
                let apart = !t.iter().any(|i| reached.contains(i));
                if !apart {
                    reached.extend(t);
                }
                apart
            });
            if open.len() == before {
                break;
            }
        }
    }
    found.into_iter().map(|i| Point3::from(shape.points[i as usize])).collect()
}

/// A survey while it is made.
struct Search<'a> {
    oracle: &'a Oracle,
    resolution: f64,
    hints: Vec<Option<[usize; 2]>>,
    survey: Survey,
    leaves: Vec<Leaf>,
}

impl Search<'_> {
    /// Looks at one pair.
    fn look(&mut self, pair: usize, segment: usize, u: f64) -> End {
        let at = Moment { segment, u };
        let Pair { who, margin, .. } = self.oracle.pairs[pair];
        let distance = self.oracle.measure(&self.oracle.pairs[pair], at, &mut self.hints[pair]);
        let look = Look { at, pair: who, distance };
        let survey = &mut self.survey;
        survey.looks += 1;
        if survey.nearest[pair].is_none_or(|nearest| distance < nearest.distance) {
            survey.nearest[pair] = Some(look);
        }
        if distance <= margin - SURE && survey.first.is_none_or(|first| at < first.at) {
            survey.first = Some(look);
        }
        End { u, distance, exact: true }
    }

    fn hits(&self, pair: usize, end: End) -> bool {
        end.exact && end.distance <= self.oracle.pairs[pair].margin - SURE
    }

    /// Looks at all pairs during a part of a segment.
    fn slot(&mut self, segment: usize, [from, until]: [f64; 2]) {
        let oracle = self.oracle;
        let speeds: Vec<Vec<f64>> = oracle
            .solids
            .iter()
            .map(|(_, solid)| match solid.carrier {
                Carrier::Link(link, place) => {
                    oracle.kinematics.speeds(segment, [from, until], link, place * solid.centre, solid.radius)
                }
                Carrier::Rests(_) | Carrier::Moves(_) => vec![],
            })
            .collect();
        for (index, pair) in oracle.pairs.iter().enumerate() {
            let speed: f64 = [0, 1]
                .map(|side| {
                    let place = pair.places[side];
                    let own = match &oracle.solids[place].1.carrier {
                        Carrier::Moves(paths) => paths[segment].1,
                        Carrier::Link(..) | Carrier::Rests(_) => 0.0,
                    };
                    own + pair.joints[side].iter().map(|i| speeds[place][*i]).sum::<f64>()
                })
                .iter()
                .sum();
            let end = |u: f64| End { u, distance: oracle.balls(pair, Moment { segment, u }), exact: false };
            self.interval(index, segment, speed, [end(from), end(until)]);
        }
    }

    /// Looks at one pair during an interval, the earlier half of it first, until there is no room left for a contact.
    fn interval(&mut self, pair: usize, segment: usize, speed: f64, ends: [End; 2]) {
        let margin = self.oracle.pairs[pair].margin;
        let mut open = vec![ends];
        while let Some([mut a, mut b]) = open.pop() {
            if self.survey.first.is_some_and(|first| first.at <= Moment { segment, u: a.u }) {
                return;
            }
            let width = b.u - a.u;
            // What the distance may fall to between the ends.
            let room = |a: End, b: End| 0.5 * (a.distance.max(0.0) + b.distance.max(0.0) - speed * width) <= margin;
            if !room(a, b) {
                continue;
            }
            if !a.exact {
                a = self.look(pair, segment, a.u);
            }
            if self.hits(pair, a) {
                return;
            }
            if !b.exact && room(a, b) {
                b = self.look(pair, segment, b.u);
            }
            if !room(a, b) {
                continue;
            }
            if speed * width <= self.resolution || width < 1e-12 {
                if self.hits(pair, b) {
                    self.halve(pair, segment, [a.u, b.u]);
                    return;
                }
                self.leaves.push(Leaf { pair, segment, ends: [a, b] });
                continue;
            }
            let middle = self.look(pair, segment, 0.5 * (a.u + b.u));
            open.extend([[middle, b], [a, middle]]);
        }
    }

    /// Towards the first contact, from a time at which there is none to one at which there is.
    fn halve(&mut self, pair: usize, segment: usize, [mut early, mut late]: [f64; 2]) {
        while late - early > 1e-13 {
            let middle = self.look(pair, segment, 0.5 * (early + late));
            if self.hits(pair, middle) {
                late = middle.u;
            } else {
                early = middle.u;
            }
        }
    }

    /// Looks for the least distances where room was left, the nearest ones of each run of intervals.
    fn deepen(&mut self) {
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.sort_by(|a, b| (a.pair, a.segment).cmp(&(b.pair, b.segment)).then(a.ends[0].u.total_cmp(&b.ends[0].u)));
        let joined = |a: &Leaf, b: &Leaf| (a.pair, a.segment) == (b.pair, b.segment) && a.ends[1].u == b.ends[0].u;
        for run in leaves.chunk_by(joined) {
            let Leaf { pair, segment, .. } = run[0];
            let ends: Vec<End> = std::iter::once(run[0].ends[0]).chain(run.iter().map(|leaf| leaf.ends[1])).collect();
            let last = ends.len() - 1;
            let mut valleys: Vec<usize> = (0..=last)
                .filter(|i| {
                    let d = ends[*i].distance;
                    d <= ends[i.saturating_sub(1)].distance && d <= ends[(i + 1).min(last)].distance
                })
                .collect();
            valleys.sort_by(|i, j| ends[*i].distance.total_cmp(&ends[*j].distance));
            valleys.truncate(6);
            for i in valleys {
                self.valley(pair, segment, [ends[i.saturating_sub(1)].u, ends[(i + 1).min(last)].u]);
            }
        }
    }

    /// The least distance between two times, by golden section, and the first contact if there is one.
    fn valley(&mut self, pair: usize, segment: usize, [from, until]: [f64; 2]) {
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut a, mut d) = (from, until);
        let mut b = self.look(pair, segment, d - golden * (d - a));
        let mut c = self.look(pair, segment, a + golden * (d - a));
        // Seventy rounds take an interval down to the spacing of numbers; a smooth valley is flat long before.
        for _ in 0..40 {
            for hit in [b, c] {
                if self.hits(pair, hit) {
                    return self.halve(pair, segment, [from, hit.u]);
                }
            }
            if b.distance < c.distance {
                (c, d) = (b, c.u);
                b = self.look(pair, segment, d - golden * (d - a));
            } else {
                (a, b) = (b.u, c);
                c = self.look(pair, segment, a + golden * (d - a));
            }
        }
    }
}
