//! Closed surfaces as the skin of filled cells of a bent lattice: what is drilled, milled or slotted really is.

use super::{Point, Shape};
use std::f64::consts::FRAC_PI_4;

/// A lattice of cells: how many along each axis, and does the first axis go round?
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    pub(super) cells: [usize; 3],
    pub(super) round: bool,
}

impl Lattice {
    /// The faces between filled and empty cells, two triangles each, with every corner where `place` puts it.
    ///
    /// `place` must keep the lattice right-handed for the surface to face outwards, and two filled cells that meet must
    /// do so at a face or by way of others, for an edge to have two triangles only.
    pub(super) fn skin(self, filled: impl Fn([usize; 3]) -> bool, place: impl Fn([usize; 3]) -> Point) -> Shape {
        let Self { cells, round } = self;
        let full = |cell: [usize; 3]| (0..3).all(|axis| cell[axis] < cells[axis]) && filled(cell);
        let mut shape = Shape::default();
        let mut ids = vec![u32::MAX; (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)];
        let mut id = |mut corner: [usize; 3]| {
            if round {
                corner[0] %= cells[0];
            }
            let slot = &mut ids[(corner[0] * (cells[1] + 1) + corner[1]) * (cells[2] + 1) + corner[2]];
            if *slot == u32::MAX {
                *slot = shape.points.len() as u32;
                shape.points.push(place(corner));
            }
            *slot
        };
        for i in 0..cells[0] {
            for j in 0..cells[1] {
                for k in 0..cells[2] {
                    let cell = [i, j, k];
                    if !full(cell) {
                        continue;
                    }
                    for (axis, ahead) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
                        let mut next = cell;
                        // Below 0 there is nothing, and a cell number that is too great says so.
                        next[axis] = if ahead { next[axis] + 1 } else { next[axis].wrapping_sub(1) };
                        if round && axis == 0 {
                            next[0] = if ahead { (i + 1) % cells[0] } else { (i + cells[0] - 1) % cells[0] };
                        }
                        if full(next) {
                            continue;
                        }
                        let corner = |u: usize, v: usize| {
                            let mut corner = cell;
                            corner[axis] += usize::from(ahead);
                            corner[(axis + 1) % 3] += u;
                            corner[(axis + 2) % 3] += v;
                            corner
                        };
                        let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(u, v)| id(corner(u, v)));
                        let quad = if ahead { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                        shape.triangles.extend(quad);
                    }
                }
            }
        }
        shape
    }
}

/// A square of the given centre and half side, in lattice steps, becomes a disc; around it, up to the half side `collar`,
/// round passes into straight. Gives a place in the plane, where `plain` would be without the disc.
pub(super) fn rounded_square(
    at: [f64; 2],
    centre: [f64; 2],
    [half, collar]: [f64; 2],
    radius: f64,
    plain: impl Fn([f64; 2]) -> [f64; 2],
) -> [f64; 2] {
    let off = [at[0] - centre[0], at[1] - centre[1]];
    let ring = off[0].abs().max(off[1].abs());
    let straight = plain(at);
    if ring >= collar || ring == 0.0 {
        return straight;
    }
    let middle = plain(centre);
    let (sin, cos) = square_angle([off[0] / ring, off[1] / ring]);
    let reach = radius * (ring / half).min(1.0);
    let on_circle = [middle[0] + reach * cos, middle[1] + reach * sin];
    let t = ((ring - half) / (collar - half)).max(0.0);
    [0, 1].map(|i| on_circle[i] + t * (straight[i] - on_circle[i]))
}

/// The sine and cosine of the angle under which a point of the square from −1 to 1 lies after even spacing of its border.
pub(super) fn square_angle([x, y]: [f64; 2]) -> (f64, f64) {
    let (sin, cos) = if x.abs() >= y.abs() {
        let (s, c) = libm::sincos(FRAC_PI_4 * y / x);
        (x.signum() * s, x.signum() * c)
    } else {
        let (s, c) = libm::sincos(FRAC_PI_4 * x / y);
        (y.signum() * c, y.signum() * s)
    };
    (sin, cos)
}

/// The number that a table gives for a lattice step, straight between its entries `(step, number)`.
pub(super) fn between(table: &[(f64, f64)], step: f64) -> f64 {
    let last = table.len() - 1;
    let i = (1..last).find(|i| step < table[*i].0).unwrap_or(last);
    let ((s0, x0), (s1, x1)) = (table[i - 1], table[i]);
    x0 + (x1 - x0) * (step - s0) / (s1 - s0)
}
