//! What holds for two moving bodies during the whole motion, and where they are at a moment.

use super::enclosure::{Model, core_distance_hi};
use super::node::Node;
use super::scene::Couple;
use crate::motion::{Placement, RigidMotion};
use crate::mutant::mutant;
use crate::scalar::Scalar;

/// Where both bodies of a scene are at one time; see [`Scene::moment`](super::Scene::moment).
#[derive(Clone, Copy, Debug)]
pub struct Moment<S> {
    pub(super) time: S,
    pub(super) places: [Placement<S>; 2],
    /// How far true points may be from computed ones: poses and geometry of both bodies together.
    pub(super) error_hi: S,
    /// Of the scene that this is a moment of, and which of its bodies it is about.
    pub(super) revision: u64,
    pub(super) couple: Couple,
}

impl<S: Scalar> Moment<S> {
    /// The time, in `[0, 1]`.
    pub fn time(&self) -> S {
        self.time
    }

    /// About how far true points may be from computed ones; for the search.
    pub fn error_near(&self) -> S {
        self.error_hi
    }

    /// Which two bodies.
    pub fn couple(&self) -> Couple {
        self.couple
    }

    /// The two bodies' computed poses.
    pub fn places(&self) -> &[Placement<S>; 2] {
        &self.places
    }
}

/// Bounds for two moving bodies, the same for all their pieces and all times.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<S> {
    /// How far true points may be from computed ones: poses and geometry of both bodies together.
    pub(super) error_hi: S,
    pub(super) margin: S,
    /// For each body: radians turned, and the greatest distance of a core point from the axis.
    pub(super) turns: [(S, S); 2],
    pub(super) swings: [Swing<S>; 2],
    /// The rounding error of the left side of the separation test.
    pub(super) gap_rounding_hi: S,
    pub(super) twice_radii_hi: S,
    pub(super) speed_hi: S,
}

impl<S: Scalar> Bounds<S> {
    /// Measures two moving bodies that are to stay further apart than `margin`.
    pub(super) fn new(models: [&Model<'_, S>; 2], motions: [&RigidMotion<S>; 2], margin: S) -> Self {
        let ([model_a, model_b], [motion_a, motion_b]) = (models, motions);
        let (a, b) = (BodyBounds::new(model_a, motion_a), BodyBounds::new(model_b, motion_b));
        let two = S::ONE + S::ONE;
        let rounding = gap_rounding_hi([a.extent_hi, b.extent_hi], a.position_hi.add_hi(b.position_hi));
        Self {
            error_hi: a.error_hi.add_hi(b.error_hi),
            margin: if mutant!(MarginDropped) { S::ZERO } else { margin },
            turns: [a.turn, b.turn],
            swings: [a.swing, b.swing],
            gap_rounding_hi: rounding,
            twice_radii_hi: two.mul_hi(a.radius_hi.add_hi(b.radius_hi)),
            speed_hi: a.speed_hi.add_hi(b.speed_hi),
        }
    }

    /// Are the bodies small and near enough for this scalar? If not, nothing can be proved about them.
    pub fn is_finite(&self) -> bool {
        let ([a, b], [c, d]) = (self.turns, self.swings);
        let swings = [c.whole_hi, c.arm_error_hi, d.whole_hi, d.arm_error_hi];
        let all = [self.error_hi, self.gap_rounding_hi, self.twice_radii_hi, self.speed_hi, a.0, a.1, b.0, b.1];
        all.into_iter().chain(swings).all(S::is_finite)
    }

    /// In metres, both bodies together.
    ///
    /// # Soundness
    /// For core points `x`, `y` of pieces of the two bodies at any time, the true `y − x` differs from that of the stored
    /// points at their computed places by at most `error_hi`.
    pub fn error_hi(&self) -> S {
        self.error_hi
    }

    /// # Soundness
    /// The gap that a separation test computes along a direction with components of at most 1, and the same in real
    /// numbers, differ by at most `rounding_hi`.
    pub fn rounding_hi(&self) -> S {
        self.gap_rounding_hi
    }

    /// # Soundness
    /// Two core points, one of each body, approach each other by at most `speed_hi` per unit of time.
    pub fn speed_hi(&self) -> S {
        self.speed_hi
    }

    /// How far true trajectories may bend away from their chords over `duration`, both bodies together.
    ///
    /// # Soundness
    /// A point that turns by `θh` radians during `h` at distance `ρ` from the axis has `‖ẍ‖h² ≤ (θh)²ρ`, and a C² curve
    /// stays within `h²·max‖ẍ‖/8` of its chord at equal times. `bulge_hi(h)` is at least the sum of both bodies'
    /// `(θh)²ρ/8`.
    pub fn bulge_hi(&self, duration: S) -> S {
        let part = |(angle, arm): (S, S)| {
            let turned = angle.mul_hi(duration);
            let eighth = if mutant!(ChordNinth) { 1.0 / 9.0 } else { 0.125 };
            turned.mul_hi(turned).mul_hi(S::from_f64_near(eighth)).mul_hi(arm)
        };
        let [a, b] = self.turns;
        part(a).add_hi(part(b))
    }
}

/// What the left side of the separation test errs by, for two bodies with these [extents](Model::extent_hi) and with
/// `‖p_a‖₁ + ‖p_b‖₁ ≤ positions_hi`.
pub(super) fn gap_rounding_hi<S: Scalar>([a, b]: [S; 2], positions_hi: S) -> S {
    let two = S::ONE + S::ONE;
    // Let n have components of at most 1 in magnitude, L = ‖c‖₁ + ‖u‖₁ + ‖v‖₁ (or ‖x‖₁) bound a body's pieces, and
    // P = ‖p_a‖₁ + ‖p_b‖₁. The columns of a computed rotation are at most 1 + 1/64 long and ‖n‖ ≤ √3, so every
    // component of Rᵀn is below 2. Then, for each body:
    //   Rᵀn takes 5 operations below 2, and its error is multiplied by L;
    //   a reach takes 3 dots of 5 operations and 2 sums; a dot's operations are below 2·‖c‖₁ (‖u‖₁, ‖v‖₁), so
    //   together the dots err like 5 operations below 2·L; 9 covers the 17 flushes to zero too;
    // and for both: n·(p_b − p_a) takes 1 + 5 operations below P (8 covers 8 flushes), and the two differences
    // that form the gap are below P + 2·L_a + 2·L_b.
    let side = |l: S| S::rounding_hi(5, two).mul_hi(l).add_hi(S::rounding_hi(9, two.mul_hi(l)));
    let all = positions_hi.add_hi(two.mul_hi(a)).add_hi(two.mul_hi(b));
    let rounding = side(a).add_hi(side(b)).add_hi(S::rounding_hi(8, positions_hi)).add_hi(S::rounding_hi(2, all));
    if mutant!(RoundingDropped) { S::ZERO } else { rounding }
}

/// What the rotation of a body adds to the speed of its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing<S> {
    /// For all of them, along any `n` with components of at most 1.
    pub(super) whole_hi: S,
    /// How far a piece may be from the axis beyond what [`Scene::arm_hi`](super::Scene::arm_hi) computes.
    pub(super) arm_error_hi: S,
}

/// The bounds of one body.
struct BodyBounds<S> {
    error_hi: S,
    turn: (S, S),
    swing: Swing<S>,
    extent_hi: S,
    radius_hi: S,
    position_hi: S,
    speed_hi: S,
}

impl<S: Scalar> BodyBounds<S> {
    fn new(model: &Model<'_, S>, motion: &RigidMotion<S>) -> Self {
        let centre = Node { centre: motion.centre(), ..Node::EMPTY };
        let reach_hi = core_distance_hi(&centre, model.centre()).add_hi(model.core_hi());
        let arm_hi = if mutant!(CentreIgnored) { S::ZERO } else { motion.axis_distance_hi(model.centre()) };
        let arm_hi = arm_hi.add_hi(model.ball_hi());
        let pose_error = if mutant!(PoseErrorDropped) { S::ZERO } else { motion.placement_error_hi(reach_hi) };
        // Let L bound ‖x‖₁ + ‖c‖₁ for all core points x (of a node: ‖centre‖₁ + ‖u‖₁ + ‖v‖₁ + ‖c‖₁), c the centre of rotation.
        //   x − c takes 1 operation below L a component, and no component of the axis is above 1, so that errs by 4 of them;
        //   a component of the three products with the axis takes 3 operations each, together below 2·L, and 2 sums;
        //   √3 < 2 components: 22 operations below 2·L;
        //   the axis' own error turns x − c, which is at most L long.
        let arms = model.extent_hi().add_hi(motion.centre().norm1_hi());
        let two = S::ONE + S::ONE;
        let arm_error_hi = motion.axis_error_hi().mul_hi(arms).add_hi(S::rounding_hi(26, two.mul_hi(arms)));
        // ‖n‖ ≤ √3 < 2.
        let whole_hi = two.mul_hi(motion.angle_hi()).mul_hi(arm_hi.add_hi(model.radius_hi()));
        let geometry_error = if mutant!(GeometryErrorDropped) { S::ZERO } else { model.geometry().error() };
        Self {
            error_hi: pose_error.add_hi(geometry_error),
            turn: (motion.angle_hi(), arm_hi),
            swing: Swing { whole_hi, arm_error_hi },
            extent_hi: model.extent_hi(),
            radius_hi: model.radius_hi(),
            position_hi: motion.position_hi(),
            speed_hi: motion.speed_hi(arm_hi),
        }
    }
}
