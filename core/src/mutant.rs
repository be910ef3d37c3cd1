//! Deliberate mistakes, one at a time, to show that the soundness suites notice them.
//!
//! In an ordinary build [`mutant!`] is the constant `false`. In a build made with `--cfg avert_mutants` it asks which
//! mistake the suite has switched on.

/// Is this deliberate mistake switched on? Always `false` in an ordinary build.
macro_rules! mutant {
    ($name:ident) => {{
        #[cfg(avert_mutants)]
        {
            $crate::mutant::active($crate::mutant::Mutant::$name)
        }
        #[cfg(not(avert_mutants))]
        {
            false
        }
    }};
}
pub(crate) use mutant;

#[cfg(avert_mutants)]
pub use switch::{Mutant, active, switch_on};

#[cfg(avert_mutants)]
mod switch {
    use core::sync::atomic::{AtomicU32, Ordering};

    static ACTIVE: AtomicU32 = AtomicU32::new(0);

    /// The smallest wrong things.
    #[repr(u32)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mutant {
        /// No mistake.
        None = 0,
        /// A directed sum that is only rounded to nearest.
        AddNotDirected,
        /// A directed product that is only rounded to nearest.
        MulNotDirected,
        /// A sine without its outward steps.
        SinNotDirected,
        /// The rounding error of the separation test is left out.
        RoundingDropped,
        /// The pose error is left out of the separation test.
        PoseErrorDropped,
        /// The conversion error of the mesh is left out of the separation test.
        GeometryErrorDropped,
        /// The margin is left out of the separation test.
        MarginDropped,
        /// The chord rule's `h²/8` becomes `h²/9`.
        ChordNinth,
        /// The chord rule looks at the start of the interval only.
        EndNotChecked,
        /// The radius of the second piece is left out.
        RadiusDropped,
        /// The direction is turned into the wrong body frame.
        FrameTransposed,
        /// The rotation axis is taken in the body frame and used in the world.
        AxisInBodyFrame,
        /// The closing speeds of the two bodies are added with the wrong sign.
        SpeedSign,
        /// The rotation's part of the speed bound is left out.
        SpreadDropped,
        /// Splitting a node forgets its second child.
        ChildNotPushed,
        /// Splitting time leaves a gap between the halves.
        TimeSkipped,
        /// A node counts as enclosing a point that is slightly outside.
        NodeShrunk,
        /// The upper bound on the distance forgets the pose error.
        ContactPoseErrorDropped,
        /// The upper bound on the distance subtracts the radius twice.
        ContactRadiusTwice,
        /// The rotation's centre is ignored.
        CentreIgnored,
        /// A cell of a support table is taken for smaller than it is.
        CellCornerIgnored,
        /// Of the claims that were postponed the last counts, not the earliest.
        PostponedTakesLast,
        /// A claim that was postponed counts as proved.
        PostponedForgotten,
        /// The distance of two bodies is that of the last pair, not the least.
        ClearanceTakesLast,
        /// The advancement rule leaves the radius of the second piece out.
        AimRadiusDropped,
        /// The advancement rule leaves the errors of poses and points out.
        AimErrorDropped,
        /// The advancement rule leaves the margin out.
        AimMarginDropped,
        /// The distance of a piece from the axis is that of its middle.
        ArmOfCentre,
        /// The bound on the drift leaves the error of the velocity out.
        DriftErrorDropped,
        /// The root of a sum of squares leaves the sum's rounding out.
        RootPlain,
        /// The distance from the axis leaves the errors of the axis and of the product out.
        ArmErrorDropped,
        /// The bound on the spin leaves the error of the angular velocity out.
        SpinErrorDropped,
        /// The audit reports the start of the last obligation, not the least.
        AuditTakesLast,
        /// A screw's distance from the motion that stands for it is left out of the pose error.
        DeviationDropped,
        /// A mesh that is not closed is taken for a solid.
        OpenAccepted,
        /// A list of parts in which one is missing is accepted.
        PartMissing,
        /// Every triangle that a ray crosses counts as +1.
        CrossingUnsigned,
        /// A node whose ball reaches past the ray's start counts as behind it.
        NodeBehindShort,
        /// A point and the corners around it are taken for exact.
        StartErrorDropped,
        /// A point of one body seen from the other leaves the other one's pose error out.
        AcrossErrorDropped,
        /// A proof comes out before the start is settled.
        StartNotAsked,
        /// A product of fixed point numbers that is to be rounded up is rounded down.
        FixedMulNotDirected,
        /// The length of a vector of fixed point numbers is rounded down.
        FixedRootNotDirected,
        /// The sine of a fixed point number without its outward step.
        FixedSineNotDirected,
        /// A fixed point number that does not fit is cut off.
        FixedOverflowKept,
        /// Of a fixed point number and NaN the greater is the number.
        FixedMaxDropsNan,
        /// A directed result next to zero is not stepped far enough for hardware that flushes to zero.
        FlushForgotten,
        /// The value of a joint counts as exact.
        PathErrorDropped,
        /// The values of a joint are taken to lie along a line during an interval.
        RangeOfEnds,
        /// The greatest speed of a joint is taken to be that in the middle of an interval.
        SpeedOfMiddle,
        /// The greatest acceleration of a joint is taken to be that in the middle of an interval.
        AccelerationOfMiddle,
        /// A joint that follows another counts as moving as that one does.
        MultiplierDropped,
        /// The errors of a joint's value and of its sine do not turn the link.
        PhaseErrorDropped,
        /// The error of a parent's rotation does not move the child's origin.
        ParentTurnDropped,
        /// The acceleration of a chain leaves the Coriolis term out.
        CoriolisDropped,
        /// The room that a ball sweeps is that of its chord.
        SweptChord,
        /// A joint that turns by its tolerance moves nothing.
        AstrayArmDropped,
        /// The distance of a link's origin from its parent's axis is left out.
        OffsetDropped,
        /// Distances from axes are taken not to grow between the ends of an interval.
        ArmOfEnds,
        /// A changed workcell keeps its revision.
        RevisionKept,
        /// A clearance for a workcell that has changed is accepted.
        StaleAccepted,
        /// A joint that jumps between two segments is let through.
        JumpIgnored,
        /// A link and an object are never checked.
        CoupleSkipped,
        /// The tracking tolerance is left out.
        TrackingDropped,
        /// Two links are compared in the world, with the accelerations that they have below their common ancestor.
        FrameOfWorld,
        /// A link's box is that of the chords between the ends of an interval.
        RoomOfChord,
        /// A batch is closed before its last couple was looked at.
        BatchClosedEarly,
        /// The bends of the second body's trajectories are left out.
        SecondBulgeDropped,
        /// An object that moves is taken to do all its way during each segment.
        HourIgnored,
        /// The limits of a joint are asked about at the start of a segment only.
        LimitsOfStart,
        /// The limits of a joint that follows another are not asked about.
        FollowerUnchecked,
        /// A check goes on though the workcell has changed.
        ChangeIgnored,
        /// A plan that is free until some moment counts as free.
        UntilIgnored,
        /// What braking takes is left out.
        BrakeLate,
    }

    /// Switches one mistake on and all others off.
    pub fn switch_on(mutant: Mutant) {
        ACTIVE.store(mutant as u32, Ordering::SeqCst);
    }

    /// Is this mistake on?
    pub fn active(mutant: Mutant) -> bool {
        ACTIVE.load(Ordering::Relaxed) == mutant as u32
    }
}
