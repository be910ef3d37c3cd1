//! A verdict as a row of the output.

use super::setup::Setup;
use crate::convert::exact_decimal;
use crate::table::rounded;
use avert::robot::{At, BodyIndex, Workcell};
use avert::{PathVerdict, Scalar, Witness};

pub(super) const COLUMNS: [&str; 17] = [
    "id",
    "verdict",
    "free_until",
    "touch",
    "name_a",
    "name_b",
    "ax",
    "ay",
    "az",
    "bx",
    "by",
    "bz",
    "nx",
    "ny",
    "nz",
    "work",
    "micros",
];

/// Decimals of witnesses, which are near points and not exact ones.
const DECIMALS: usize = 9;

/// From `verdict` to `nz`.
pub(super) fn fields<S: Scalar>(setup: &Setup, cell: &Workcell<'_, S>, verdict: &PathVerdict<'_, S>) -> [String; 14] {
    let mut fields = [const { String::new() }; 14];
    let mut places = fields.iter_mut();
    let mut put = |text: String| places.next().into_iter().for_each(|place| place.clone_from(&text));
    put(name(verdict));
    put(moment(verdict.cleared().until()));
    if let PathVerdict::Contact { touch, bodies, witness, .. } = verdict {
        put(moment(*touch));
        bodies.iter().for_each(|body| put(setup.name(*body).to_owned()));
        near_points(cell, *bodies, witness).into_iter().for_each(|x| put(rounded(x, DECIMALS)));
    }
    fields
}

/// The verdict's name, as in `avert ccd`.
pub(super) fn name<S>(verdict: &PathVerdict<'_, S>) -> String {
    match verdict {
        PathVerdict::Free(_) => "free".to_owned(),
        PathVerdict::Contact { .. } => "contact".to_owned(),
        PathVerdict::Undecided { why, .. } => format!("undecided:{why}"),
    }
}

/// Segment plus time, exactly: a sum of numbers would be rounded.
fn moment<S: Scalar>(At { segment, time }: At<S>) -> String {
    let text = exact_decimal(time.to_f64());
    match text.strip_prefix("0.") {
        Some(decimals) => format!("{segment}.{decimals}"),
        // The next segment begins where this one ends.
        None => (segment + usize::from(text == "1")).to_string(),
    }
}

/// The near points, from the cores of the primitives out to their surfaces, and the direction from the first to the second, of
/// length 1 or 0.
fn near_points<S: Scalar>(cell: &Workcell<'_, S>, bodies: [BodyIndex; 2], witness: &Witness<S>) -> [f64; 9] {
    let [a, b] = witness.points.map(|point| point.to_array().map(S::to_f64));
    let direction = witness.direction.to_array().map(S::to_f64);
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [nx, ny, nz] = direction.map(|x| if length > 0.0 { x / length } else { 0.0 });
    let radius = |body: BodyIndex, primitive: usize| {
        let model = match body {
            BodyIndex::Link(link) => cell.model(link),
            BodyIndex::Object(object) => cell.object(object).map(|object| object.model()),
        };
        model.and_then(|model| model.geometry().primitive(primitive)).map_or(0.0, |shape| shape.radius().to_f64())
    };
    let [first, second] = bodies;
    let [i, j] = witness.primitives;
    let (r, s) = (radius(first, i), radius(second, j));
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [ax + r * nx, ay + r * ny, az + r * nz, bx - s * nx, by - s * ny, bz - s * nz, nx, ny, nz]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_exact() {
        let text = |segment, time: f32| moment(At { segment, time });
        assert_eq!([text(0, 0.0), text(0, 0.5), text(0, 1.0)], ["0", "0.5", "1"]);
        assert_eq!([text(7, 0.0), text(7, 0.25), text(7, 1.0)], ["7", "7.25", "8"]);
        // Just before the end is never the end.
        assert_eq!(text(16_777_216, 1.0_f32.next_down()), "16777216.999999940395355224609375");
    }
}
