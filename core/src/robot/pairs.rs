//! Which pairs of bodies are checked, and why the others are not.

/// Why two links may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// A joint joins them.
    Adjacent = 1,
    /// They cannot reach each other, somebody found.
    Never = 2,
    /// They touch always, or in the robot's rest position.
    Default = 3,
    /// Somebody said so.
    User = 4,
    /// A payload touches what holds it.
    Grasp = 5,
}

impl Reason {
    /// The reason with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Adjacent, Self::Never, Self::Default, Self::User, Self::Grasp].into_iter().find(|r| *r as u8 == number)
    }
}

impl core::fmt::Display for Reason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Adjacent => "adjacent",
            Self::Never => "never in contact",
            Self::Default => "in contact by default",
            Self::User => "allowed by the user",
            Self::Grasp => "grasped",
        })
    }
}

/// What a check makes of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They must stay apart during the motion.
    Checked,
    /// They do not move against each other: the robot's foot and an object that rests. Checked once, by a
    /// [plan](super::Plan) with the scope [`Standing`](super::Scope::Standing).
    Standing,
    /// No moving joint is between them: they are one body.
    SameBody,
    /// They may touch.
    Allowed(Reason),
    /// One of them has no geometry, is switched off or does not exist.
    Absent,
}

impl core::fmt::Display for Relation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Checked => f.write_str("checked"),
            Self::Standing => f.write_str("do not move against each other"),
            Self::SameBody => f.write_str("one body"),
            Self::Allowed(reason) => write!(f, "{reason}"),
            Self::Absent => f.write_str("not there"),
        }
    }
}

/// The place of an unordered pair of different numbers in a list of all of them; `None` for a number and itself.
pub(super) fn triangular(a: usize, b: usize) -> Option<usize> {
    let (low, high) = (a.min(b), a.max(b));
    (low < high).then(|| high * (high - 1) / 2 + low)
}
