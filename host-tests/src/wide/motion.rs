//! The true rigid motion that a caller's numbers define, and distances under it.

use super::dd::{Dd, cross, dot, matrix_times, norm, scale, sum, transposed_times};

/// Where a body truly is: `x ↦ rotation·x + position`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// By rows.
    pub rotation: [[Dd; 3]; 3],
    /// Where the body's origin is.
    pub position: [Dd; 3],
}

impl Place {
    /// Where a body point is.
    pub fn apply(&self, x: [f64; 3]) -> [Dd; 3] {
        sum(matrix_times(&self.rotation, x.map(Dd::from)), self.position)
    }
}

/// `x(t) = start + t·velocity + Rot(axis, t·angle)·R₀·(x − centre)`; or a screw, of which that is a model: then
/// [`place`](Motion::place) speaks of the screw and all else of the model.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    first: [[Dd; 3]; 3],
    /// Of length 1; any such vector where there is no rotation.
    pub axis: [Dd; 3],
    /// Radians turned during the unit of time.
    pub angle: Dd,
    start: [Dd; 3],
    /// Of the centre.
    pub velocity: [Dd; 3],
    /// The body point that moves on a straight line.
    pub centre: [f64; 3],
    /// Of a screw: the first place of the body's origin, and how far it is displaced.
    screw: Option<[[Dd; 3]; 2]>,
}

pub(super) fn rotation(q: [Dd; 4]) -> [[Dd; 3]; 3] {
    let two = Dd::from(2.0);
    let square = q.iter().fold(Dd::ZERO, |s, x| s + *x * *x);
    let [w, x, y, z] = q;
    let f = |a: Dd| a * two / square;
    [
        [Dd::ONE - f(y * y + z * z), f(x * y - w * z), f(x * z + w * y)],
        [f(x * y + w * z), Dd::ONE - f(x * x + z * z), f(y * z - w * x)],
        [f(x * z - w * y), f(y * z + w * x), Dd::ONE - f(x * x + y * y)],
    ]
}

impl Motion {
    /// From one pose to another by the shortest rotation.
    pub fn between(from: ([f64; 4], [f64; 3]), to: ([f64; 4], [f64; 3]), centre: [f64; 3]) -> Self {
        let (q, r) = (from.0.map(Dd::from), to.0.map(Dd::from));
        let (first, last) = (rotation(q), rotation(r));
        let c = centre.map(Dd::from);
        let start = sum(matrix_times(&first, c), from.1.map(Dd::from));
        let end = sum(matrix_times(&last, c), to.1.map(Dd::from));
        // r · q̄
        let (qv, rv) = ([-q[1], -q[2], -q[3]], [r[1], r[2], r[3]]);
        let w = r[0] * q[0] - dot(rv, qv);
        let v = sum(sum(scale(qv, r[0]), scale(rv, q[0])), cross(rv, qv));
        let (w, v) = if w < Dd::ZERO { (-w, scale(v, Dd::from(-1.0))) } else { (w, v) };
        let length = norm(v);
        let angle = Dd::atan2(length, w) * Dd::from(2.0);
        Self {
            first,
            axis: direction(v, length),
            angle,
            start,
            velocity: sum(end, scale(start, Dd::from(-1.0))),
            centre,
            screw: None,
        }
    }

    /// From one pose to another on a screw, with the model that is straight for `centre`.
    pub fn screw(from: ([f64; 4], [f64; 3]), to: ([f64; 4], [f64; 3]), centre: [f64; 3]) -> Self {
        let (p, q) = (from.1.map(Dd::from), to.1.map(Dd::from));
        Self { screw: Some([p, [0, 1, 2].map(|i| q[i] - p[i])]), ..Self::between(from, to, centre) }
    }

    /// The same without the screw.
    #[must_use]
    pub fn model(self) -> Self {
        Self { screw: None, ..self }
    }

    /// From a pose, with the velocity of the centre and the angular velocity.
    pub fn with_velocities(from: ([f64; 4], [f64; 3]), centre: [f64; 3], linear: [f64; 3], angular: [f64; 3]) -> Self {
        let first = rotation(from.0.map(Dd::from));
        let start = sum(matrix_times(&first, centre.map(Dd::from)), from.1.map(Dd::from));
        let omega = angular.map(Dd::from);
        let angle = norm(omega);
        Self { first, axis: direction(omega, angle), angle, start, velocity: linear.map(Dd::from), centre, screw: None }
    }

    /// A vector turned about the axis.
    fn turned(&self, x: [Dd; 3], angle: Dd) -> [Dd; 3] {
        let (s, c) = angle.sin_cos();
        let ax = cross(self.axis, x);
        sum(x, sum(scale(ax, s), scale(cross(self.axis, ax), Dd::ONE - c)))
    }

    /// Where the body is at a time.
    pub fn place(&self, t: f64) -> Place {
        let t = Dd::from(t);
        let columns = [0, 1, 2].map(|j| self.turned(self.first.map(|row| row[j]), self.angle * t));
        let rotation = [0, 1, 2].map(|i| columns.map(|column| column[i]));
        if let Some([first, displacement]) = self.screw {
            // With complex numbers for what is across the axis, the origin has gone (exp(iθt) − 1) / (exp(iθ) − 1) of its
            // whole way there, which is exp(iθ(t − 1)/2)·sin(θt/2) / sin(θ/2): good for the smallest angles, too.
            let half = self.angle * Dd::from(0.5);
            let along = scale(self.axis, dot(self.axis, displacement));
            let across = [0, 1, 2].map(|i| displacement[i] - along[i]);
            let share = if half > Dd::ZERO { (half * t).sin_cos().0 / half.sin_cos().0 } else { t };
            let gone = scale(self.turned(across, half * (t - Dd::ONE)), share);
            return Place { rotation, position: sum(first, sum(scale(along, t), gone)) };
        }
        let centre = matrix_times(&rotation, self.centre.map(Dd::from));
        let at = sum(self.start, scale(self.velocity, t));
        Place { rotation, position: sum(at, scale(centre, Dd::from(-1.0))) }
    }

    /// The velocity of a body point at a time.
    pub fn velocity_of(&self, x: [f64; 3], t: f64) -> [Dd; 3] {
        let arm = [0, 1, 2].map(|i| Dd::from(x[i]) - Dd::from(self.centre[i]));
        let arm = matrix_times(&self.place(t).rotation, arm);
        sum(self.velocity, cross(scale(self.axis, self.angle), arm))
    }

    /// The distance of a body point from the axis of rotation.
    pub fn axis_distance(&self, x: [f64; 3]) -> Dd {
        self.exact_axis_distance(x.map(Dd::from))
    }

    /// The same for a point that is no machine number.
    pub fn exact_axis_distance(&self, x: [Dd; 3]) -> Dd {
        let arm = [0, 1, 2].map(|i| x[i] - Dd::from(self.centre[i]));
        norm(cross(matrix_times(&self.first, arm), self.axis))
    }
}

fn direction(v: [Dd; 3], length: Dd) -> [Dd; 3] {
    if length > Dd::ZERO { v.map(|x| x / length) } else { [Dd::ONE, Dd::ZERO, Dd::ZERO] }
}

/// `min n·y − max n·x` over the points of two bodies with radii, each `(x, r)` counting as `n·x ± r·‖n‖`.
pub fn separation(n: [f64; 3], places: [&Place; 2], bodies: [&[([f64; 3], f64)]; 2]) -> Dd {
    let n = n.map(Dd::from);
    let length = norm(n);
    let far = |place: &Place, points: &[([f64; 3], f64)], n: [Dd; 3]| {
        let turned = transposed_times(&place.rotation, n);
        let most = points
            .iter()
            .map(|(x, r)| dot(turned, x.map(Dd::from)) + Dd::from(*r) * length)
            .fold(Dd::from(f64::NEG_INFINITY), |a, b| if b > a { b } else { a });
        most + dot(n, place.position)
    };
    let [a, b] = places;
    -far(a, bodies[0], n) - far(b, bodies[1], n.map(|x| -x))
}

/// The distance of a point from the parallelogram `centre ± u ± v`.
pub fn core_distance(centre: [f64; 3], u: [f64; 3], v: [f64; 3], x: [f64; 3]) -> Dd {
    let (u, v) = (u.map(Dd::from), v.map(Dd::from));
    let p = [0, 1, 2].map(|i| Dd::from(x[i]) - Dd::from(centre[i]));
    let (uu, uv, vv, pu, pv) = (dot(u, u), dot(u, v), dot(v, v), dot(p, u), dot(p, v));
    let one = Dd::ONE;
    let clamp = |s: Dd| s.max(-one).min(one);
    let at = |s: Dd, t: Dd| {
        let near = sum(scale(u, s), scale(v, t));
        norm(sum(p, near.map(|x| -x)))
    };
    // A convex function on a square: the least value is inside, where the gradient vanishes, or on one of the edges. On an
    // edge the best place is the clamped one, for any value of the other weight.
    let ratio = |a: Dd, b: Dd| if b > Dd::ZERO { a / b } else { Dd::ZERO };
    let mut least = at(Dd::ZERO, Dd::ZERO);
    for side in [-one, one] {
        least = least.min(at(side, clamp(ratio(pv - uv * side, vv))));
        least = least.min(at(clamp(ratio(pu - uv * side, uu)), side));
    }
    let determinant = uu * vv - uv * uv;
    let (s, t) = (ratio(pu * vv - pv * uv, determinant), ratio(pv * uu - pu * uv, determinant));
    least = least.min(at(clamp(s), clamp(t)));
    // Half axes that are parallel, or one that is zero, leave the determinant without digits.
    least = least.min(at(clamp(ratio(pu, uu)), Dd::ZERO));
    least.min(at(Dd::ZERO, clamp(ratio(pv, vv))))
}
