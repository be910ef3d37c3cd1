//! Where the links are, and how fast they can be: forward kinematics in `f64`, by joint values in Bézier form.

use super::case::{ArmCase, CaseJoint, CaseKind, CasePath};
use crate::scenes::Place;
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

/// The value of a joint over a segment by its control points: it passes between them, and its rate between their
/// differences.
#[derive(Clone, Debug)]
pub(super) struct Bezier(Vec<f64>);

impl Bezier {
    /// From what holds at the ends (Hermite).
    pub(super) fn new(path: &CasePath) -> Self {
        Self(match *path {
            CasePath::Line { positions } => positions.to_vec(),
            CasePath::Cubic { positions: [p, q], velocities: [v, w], duration: t } => {
                vec![p, p + t * v / 3.0, q - t * w / 3.0, q]
            }
            CasePath::Quintic { positions: [p, q], velocities: [v, w], accelerations: [a, b], duration: t } => {
                let third = p + t * v * 0.4 + t * t * a / 20.0;
                let fourth = q - t * w * 0.4 + t * t * b / 20.0;
                vec![p, p + t * v / 5.0, third, fourth, q - t * w / 5.0, q]
            }
        })
    }

    /// Every value times a factor, and more.
    fn geared(&self, factor: f64, more: f64) -> Self {
        Self(self.0.iter().map(|x| factor * x + more).collect())
    }

    /// The value at a time (de Casteljau).
    pub(super) fn at(&self, u: f64) -> f64 {
        self.blossom(|_| u)
    }

    /// de Casteljau with another time in each round.
    fn blossom(&self, time: impl Fn(usize) -> f64) -> f64 {
        let mut points = self.0.clone();
        for round in 0..points.len() - 1 {
            let u = time(round);
            for i in 0..points.len() - 1 - round {
                points[i] = (1.0 - u) * points[i] + u * points[i + 1];
            }
        }
        points[0]
    }

    /// Nothing during an interval is larger: the magnitude of the value, and of its rate by `u`.
    fn most(&self, from: f64, until: f64) -> [f64; 2] {
        let degree = self.0.len() - 1;
        let points: Vec<f64> =
            (0..=degree).map(|i| self.blossom(|round| if round < i { until } else { from })).collect();
        let steps = points.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
        let value = points.iter().map(|x| x.abs()).fold(0.0, f64::max);
        [value, steps * degree as f64 / (until - from)]
    }
}

/// The pose that numbers describe.
pub(super) fn pose(place: &Place) -> Isometry3<f64> {
    let [w, x, y, z] = place.rotation;
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(place.position), rotation)
}

/// A joint, ready to be moved.
#[derive(Clone, Debug)]
struct Hinge {
    kind: CaseKind,
    parent: Option<usize>,
    origin: Isometry3<f64>,
    axis: Unit<Vector3<f64>>,
}

impl Hinge {
    fn new(joint: &CaseJoint, base: &Isometry3<f64>) -> Self {
        let own = pose(&joint.origin);
        let origin = if joint.parent.is_none() { base * own } else { own };
        Self { kind: joint.kind, parent: joint.parent, origin, axis: Unit::new_normalize(joint.axis.into()) }
    }

    fn local(&self, value: f64) -> Isometry3<f64> {
        let (along, turned) = match self.kind {
            CaseKind::Fixed => return self.origin,
            CaseKind::Revolute => (Vector3::zeros(), UnitQuaternion::from_axis_angle(&self.axis, value)),
            CaseKind::Prismatic => (self.axis.into_inner() * value, UnitQuaternion::identity()),
        };
        self.origin * Isometry3::from_parts(Translation3::from(along), turned)
    }
}

/// A robot on its path.
#[derive(Clone, Debug)]
pub(super) struct Kinematics {
    hinges: Vec<Hinge>,
    /// For each segment and joint its value, that of the joint that it follows included.
    courses: Vec<Vec<Bezier>>,
}

impl Kinematics {
    pub(super) fn new(case: &ArmCase) -> Self {
        let base = pose(&case.base);
        let hinges = case.joints.iter().map(|joint| Hinge::new(joint, &base)).collect();
        let course = |paths: &Vec<CasePath>, i: usize| match case.joints[i].mimic {
            None => Bezier::new(&paths[i]),
            Some(mimic) => Bezier::new(&paths[mimic.driver]).geared(mimic.multiplier, mimic.offset),
        };
        let segment = |paths| (0..case.joints.len()).map(|i| course(paths, i)).collect();
        Self { hinges, courses: case.segments.iter().map(segment).collect() }
    }

    /// Where a link is.
    pub(super) fn link(&self, segment: usize, u: f64, link: usize) -> Isometry3<f64> {
        let hinge = &self.hinges[link];
        let value = if hinge.kind == CaseKind::Fixed { 0.0 } else { self.courses[segment][link].at(u) };
        let local = hinge.local(value);
        hinge.parent.map_or(local, |parent| self.link(segment, u, parent) * local)
    }

    /// A link and all that it hangs on, outermost first.
    pub(super) fn above(&self, link: usize) -> Vec<usize> {
        std::iter::successors(Some(link), |i| self.hinges[*i].parent).collect()
    }

    /// For each joint, how fast it alone can move the points of a ball that is fixed to a link, during an interval.
    pub(super) fn speeds(
        &self,
        segment: usize,
        [from, until]: [f64; 2],
        link: usize,
        centre: Point3<f64>,
        radius: f64,
    ) -> Vec<f64> {
        let mut speeds = vec![0.0; self.hinges.len()];
        let (middle, half) = (0.5 * (from + until), 0.5 * (until - from));
        // Of the ball about the origin of the joint at hand: how far away it is at any time, where it is in the middle
        // of the interval, and how fast it is.
        let (mut reach, mut there, mut speed) = (centre.coords.norm() + radius, centre, 0.0);
        for i in self.above(link) {
            let hinge = &self.hinges[i];
            let course = &self.courses[segment][i];
            let [value, rate] = if hinge.kind == CaseKind::Fixed { [0.0; 2] } else { course.most(from, until) };
            match hinge.kind {
                CaseKind::Fixed => {}
                CaseKind::Revolute => {
                    // From the axis, which does not move in the link.
                    let arm = there.coords.cross(&hinge.axis).norm() + radius + speed * half;
                    speeds[i] = rate * arm.min(reach);
                }
                CaseKind::Prismatic => {
                    speeds[i] = rate;
                    reach += value;
                }
            }
            speed += speeds[i];
            there = hinge.local(course.at(middle)) * there;
            reach += hinge.origin.translation.vector.norm();
        }
        speeds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::some_arm;
    use crate::random::Random;
    use crate::wide::Dd;
    use crate::wide::chain::Course;
    use crate::wide::chain::{Hinge as WideHinge, Kind, State, state, values};

    fn course(path: &CasePath) -> Course {
        match *path {
            CasePath::Line { positions } => Course::Line(positions),
            CasePath::Cubic { positions, velocities, duration } => Course::Cubic(positions, velocities, duration),
            CasePath::Quintic { positions, velocities, accelerations, duration } => {
                Course::Quintic(positions, velocities, accelerations, duration)
            }
        }
    }

    /// 3u² − 2u³, and its fastest moment.
    #[test]
    fn a_cubic_from_rest_to_rest() {
        let path = CasePath::Cubic { positions: [0.0, 1.0], velocities: [0.0; 2], duration: 7.0 };
        let bezier = Bezier::new(&path);
        for u in [0.0, 0.1, 0.5, 0.75, 1.0] {
            assert!((bezier.at(u) - (3.0 * u * u - 2.0 * u * u * u)).abs() < 1e-15);
        }
        let [value, rate] = bezier.most(0.499, 0.501);
        assert!((value - 0.5).abs() < 2e-3 && (1.5..1.501).contains(&rate), "{value} {rate}");
    }

    /// The kinematics in wide numbers, which were written for other laws and have another form, agree.
    #[test]
    fn poses_are_those_of_the_wide_chain() {
        for index in 0..60 {
            let case = some_arm(11, index);
            let kinematics = Kinematics::new(&case);
            let hinge = |joint: &CaseJoint| WideHinge {
                kind: match joint.kind {
                    CaseKind::Fixed => Kind::Fixed,
                    CaseKind::Revolute => Kind::Revolute,
                    CaseKind::Prismatic => Kind::Prismatic,
                },
                parent: joint.parent,
                rotation: joint.origin.rotation,
                position: joint.origin.position,
                axis: joint.axis,
                mimic: joint.mimic.map(|m| (m.driver, m.multiplier, m.offset)),
            };
            let hinges: Vec<WideHinge> = case.joints.iter().map(hinge).collect();
            let random = &mut Random::new(index);
            for (segment, paths) in case.segments.iter().enumerate() {
                let courses: Vec<Course> = paths.iter().map(course).collect();
                let (u, link) = (random.unit(), random.below(hinges.len()));
                let values = values(&hinges, &courses, Dd::from(u));
                let base = State::resting(case.base.rotation, case.base.position);
                let x = random.vector();
                let [expected, ..] = state(&hinges, &values, base, None, link).point(x.map(Dd::from));
                let found = kinematics.link(segment, u, link) * Point3::from(x);
                for i in 0..3 {
                    assert!((found[i] - expected[i].to_f64()).abs() < 1e-13, "case {index}: {found} {expected:?}");
                }
            }
        }
    }

    /// No point of the ball is faster than the sum.
    #[test]
    fn speeds_bound_what_points_do() {
        let (mut worst, mut tightest) = (0.0_f64, f64::INFINITY);
        for index in 0..100 {
            let kinematics = Kinematics::new(&some_arm(12, index));
            let random = &mut Random::new(index);
            let (segment, link) = (random.below(kinematics.courses.len()), random.below(kinematics.hinges.len()));
            let (centre, radius) = (Point3::from(random.vector()), random.unit());
            let from = random.within(0.0, 0.9);
            let until = from + random.within(0.02, 0.1);
            let most: f64 = kinematics.speeds(segment, [from, until], link, centre, radius).iter().sum();
            let x = centre + Vector3::from(random.direction()) * radius;
            let (h, u) = (1e-6, random.within(from + 1e-6, until - 1e-6));
            let at = |u: f64| kinematics.link(segment, u, link) * x;
            let speed = (at(u + h) - at(u - h)).norm() / (2.0 * h);
            assert!(speed <= most + 1e-7, "case {index}: {speed} {most}");
            worst = worst.max(speed / most.max(1e-3));
            tightest = tightest.min(most);
        }
        assert!(worst > 0.9, "the bounds are far too large: {worst}");
    }
}
