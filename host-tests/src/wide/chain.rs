//! The true forward kinematics that a robot's numbers define: poses, velocities and accelerations, from the base outwards.

use super::dd::{Dd, cross, matrix_times, scale, sum};
use super::motion::rotation;

/// The value of a joint over a segment, as a trajectory controller defines it: positions at both ends, then velocities,
/// accelerations and the duration in seconds.
#[derive(Clone, Copy, Debug)]
pub enum Course {
    /// At constant speed.
    Line([f64; 2]),
    /// Through velocities.
    Cubic([f64; 2], [f64; 2], f64),
    /// Through velocities and accelerations.
    Quintic([f64; 2], [f64; 2], [f64; 2], f64),
}

impl Course {
    /// The coefficients of the powers of `u`.
    fn coefficients(&self) -> [Dd; 6] {
        let dd = |x: [f64; 2]| x.map(Dd::from);
        let n = |x: f64| Dd::from(x);
        let (p, v, a, t) = match *self {
            Self::Line([p, q]) => return [n(p), n(q) - n(p), Dd::ZERO, Dd::ZERO, Dd::ZERO, Dd::ZERO],
            Self::Cubic(p, v, t) => (dd(p), dd(v), None, n(t)),
            Self::Quintic(p, v, a, t) => (dd(p), dd(v), Some(dd(a)), n(t)),
        };
        let (rise, [v0, v1]) = (p[1] - p[0], v.map(|v| v * t));
        let Some(a) = a else {
            let c2 = n(3.0) * rise - n(2.0) * v0 - v1;
            return [p[0], v0, c2, v0 + v1 - n(2.0) * rise, Dd::ZERO, Dd::ZERO];
        };
        let [a0, a1] = a.map(|a| a * t * t * n(0.5));
        let c3 = n(10.0) * rise - n(6.0) * v0 - n(4.0) * v1 - n(3.0) * a0 + a1;
        let c4 = n(-15.0) * rise + n(8.0) * v0 + n(7.0) * v1 + n(3.0) * a0 - n(2.0) * a1;
        let c5 = n(6.0) * rise - n(3.0) * (v0 + v1) - a0 + a1;
        [p[0], v0, a0, c3, c4, c5]
    }

    /// The value and its first two derivatives by `u`.
    pub fn at(&self, u: Dd) -> [Dd; 3] {
        let mut out = [Dd::ZERO; 3];
        for c in self.coefficients().into_iter().rev() {
            // Horner for a polynomial and its derivatives.
            let [p, d, dd] = out;
            out = [p * u + c, d * u + p, dd * u + d + d];
        }
        out
    }
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Not at all.
    Fixed,
    /// About its axis.
    Revolute,
    /// Along its axis.
    Prismatic,
}

/// A joint in the frame of its parent.
#[derive(Clone, Copy, Debug)]
pub struct Hinge {
    /// How it moves.
    pub kind: Kind,
    /// None for the world.
    pub parent: Option<usize>,
    /// A quaternion that stands for its normalised self.
    pub rotation: [f64; 4],
    /// Where the joint is.
    pub position: [f64; 3],
    /// Stands for its normalised self.
    pub axis: [f64; 3],
    /// The joint that is followed, the multiplier and the offset.
    pub mimic: Option<(usize, f64, f64)>,
}

/// How a link moves at an instant, in some frame.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// By rows.
    pub rotation: [[Dd; 3]; 3],
    /// Of the link's origin.
    pub position: [Dd; 3],
    omega: [Dd; 3],
    alpha: [Dd; 3],
    velocity: [Dd; 3],
    acceleration: [Dd; 3],
}

impl State {
    /// A frame that rests.
    pub fn resting(turned: [f64; 4], position: [f64; 3]) -> Self {
        let zero = [Dd::ZERO; 3];
        Self {
            rotation: rotation(turned.map(Dd::from)),
            position: position.map(Dd::from),
            omega: zero,
            alpha: zero,
            velocity: zero,
            acceleration: zero,
        }
    }

    /// A point's place, velocity and acceleration.
    pub fn point(&self, x: [Dd; 3]) -> [[Dd; 3]; 3] {
        let arm = matrix_times(&self.rotation, x);
        let along = cross(self.omega, arm);
        [
            sum(self.position, arm),
            sum(self.velocity, along),
            sum(self.acceleration, sum(cross(self.alpha, arm), cross(self.omega, along))),
        ]
    }

    /// The link that hangs on this one by a joint with this value and its derivatives.
    fn child(&self, hinge: &Hinge, [q, rate, bend]: [Dd; 3]) -> Self {
        let length = super::norm(hinge.axis.map(Dd::from));
        let axis = hinge.axis.map(|x| Dd::from(x) / length);
        let mounted = product(&self.rotation, &rotation(hinge.rotation.map(Dd::from)));
        let way = matrix_times(&mounted, axis);
        let [position, velocity, acceleration] = self.point(hinge.position.map(Dd::from));
        let mut next = Self { rotation: mounted, position, velocity, acceleration, ..*self };
        match hinge.kind {
            Kind::Fixed => {}
            Kind::Revolute => {
                next.rotation = product(&mounted, &about(axis, q));
                let spin = scale(way, rate);
                next.omega = sum(self.omega, spin);
                next.alpha = sum(self.alpha, sum(scale(way, bend), cross(self.omega, spin)));
            }
            Kind::Prismatic => {
                let shift = scale(way, q);
                let drag = cross(self.omega, shift);
                let slide = scale(way, rate);
                next.position = sum(position, shift);
                next.velocity = sum(velocity, sum(drag, slide));
                let carried = sum(cross(self.alpha, shift), cross(self.omega, drag));
                let coriolis = scale(cross(self.omega, slide), Dd::from(2.0));
                next.acceleration = sum(acceleration, sum(carried, sum(coriolis, scale(way, bend))));
            }
        }
        next
    }
}

/// The values of all joints and their derivatives, those that follow others included.
pub fn values(hinges: &[Hinge], courses: &[Course], u: Dd) -> Vec<[Dd; 3]> {
    let own: Vec<_> = courses.iter().map(|course| course.at(u)).collect();
    let follow = |(index, hinge): (usize, &Hinge)| match hinge.mimic {
        None => own[index],
        Some((driver, multiplier, offset)) => {
            let [q, rate, bend] = own[driver].map(|x| x * Dd::from(multiplier));
            [q + Dd::from(offset), rate, bend]
        }
    };
    hinges.iter().enumerate().map(follow).collect()
}

/// How a link moves relative to one of its ancestors, or to the world if there is none; `first` is how that one is.
pub fn state(hinges: &[Hinge], values: &[[Dd; 3]], first: State, ancestor: Option<usize>, link: usize) -> State {
    if Some(link) == ancestor {
        return first;
    }
    let above = match hinges[link].parent {
        Some(parent) => state(hinges, values, first, ancestor, parent),
        None => first,
    };
    above.child(&hinges[link], values[link])
}

fn product(a: &[[Dd; 3]; 3], b: &[[Dd; 3]; 3]) -> [[Dd; 3]; 3] {
    a.map(|row| super::transposed_times(b, row))
}

/// The rotation about a unit axis.
fn about(axis: [Dd; 3], angle: Dd) -> [[Dd; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let columns = [0, 1, 2].map(|j| {
        let e = [0, 1, 2].map(|i| if i == j { Dd::ONE } else { Dd::ZERO });
        let along = scale(axis, axis[j] * (Dd::ONE - c));
        sum(scale(e, c), sum(scale(cross(axis, e), s), along))
    });
    [0, 1, 2].map(|i| columns.map(|column| column[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Velocities and accelerations are the differences of places.
    #[test]
    fn derivatives_are_differences() {
        let hinge = |kind, parent, axis, mimic| Hinge {
            kind,
            parent,
            rotation: [0.5, 0.5, -0.5, 0.5],
            position: [0.3, -1.0, 0.2],
            axis,
            mimic,
        };
        let hinges = [
            hinge(Kind::Revolute, None, [0.0, 0.6, 0.8], None),
            hinge(Kind::Prismatic, Some(0), [1.0, 0.0, 0.0], None),
            hinge(Kind::Revolute, Some(1), [0.0, 0.0, 1.0], Some((0, -1.5, 0.25))),
            hinge(Kind::Fixed, Some(2), [0.0, 0.0, 1.0], None),
        ];
        let courses = [
            Course::Quintic([0.2, 1.4], [0.3, -1.0], [2.0, 1.0], 1.5),
            Course::Cubic([-0.3, 0.4], [1.0, 0.5], 0.7),
            Course::Line([0.0, 0.0]),
            Course::Line([0.0, 0.0]),
        ];
        let first = State::resting([1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0]);
        let x = [0.1, 0.2, -0.7].map(Dd::from);
        let at = |u: f64| state(&hinges, &values(&hinges, &courses, Dd::from(u)), first, None, 3).point(x);
        let h = 2_f64.powi(-20);
        let ([a, ..], [b, v, w], [c, ..]) = (at(0.375 - h), at(0.375), at(0.375 + h));
        for i in 0..3 {
            let rate = (c[i] - a[i]).to_f64() / (2.0 * h);
            let bend = (c[i] - b[i] - (b[i] - a[i])).to_f64() / (h * h);
            assert!((rate - v[i].to_f64()).abs() < 1e-9, "{rate} {:?}", v[i]);
            assert!((bend - w[i].to_f64()).abs() < 1e-9, "{bend} {:?}", w[i]);
        }
        // Ends are met.
        for course in courses {
            let (p, q) = match course {
                Course::Line([p, q]) | Course::Cubic([p, q], ..) | Course::Quintic([p, q], ..) => (p, q),
            };
            assert!((course.at(Dd::ZERO)[0].to_f64() - p).abs() < 1e-15);
            assert!((course.at(Dd::ONE)[0].to_f64() - q).abs() < 1e-15);
        }
        let [_, v1, a1] = courses[0].at(Dd::ONE);
        assert!((v1.to_f64() + 1.5).abs() < 1e-15 && (a1.to_f64() - 2.25).abs() < 1e-15);
    }

    /// A pose relative to an ancestor is what takes the ancestor's pose to the link's.
    #[test]
    fn relative_poses_are_quotients() {
        let hinge = |kind, parent, axis| Hinge {
            kind,
            parent,
            rotation: [0.8, 0.0, 0.6, 0.0],
            position: [0.5, 0.1, -0.4],
            axis,
            mimic: None,
        };
        let hinges = [
            hinge(Kind::Revolute, None, [1.0, 0.0, 0.0]),
            hinge(Kind::Revolute, Some(0), [0.0, 1.0, 0.0]),
            hinge(Kind::Prismatic, Some(1), [0.0, 0.0, 1.0]),
        ];
        let courses = [Course::Line([0.1, 2.0]), Course::Line([1.0, -0.5]), Course::Line([0.0, 0.3])];
        let values = values(&hinges, &courses, Dd::from(0.3));
        let base = State::resting([0.6, 0.0, 0.0, 0.8], [7.0, 0.0, 1.0]);
        let rest = State::resting([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        let x = [0.3, 0.4, 0.5].map(Dd::from);
        let [inner, ..] = state(&hinges, &values, rest, Some(0), 2).point(x);
        let [there, ..] = state(&hinges, &values, base, None, 0).point(inner);
        let [whole, ..] = state(&hinges, &values, base, None, 2).point(x);
        for i in 0..3 {
            assert!((there[i] - whole[i]).to_f64().abs() < 1e-29);
        }
    }
}
