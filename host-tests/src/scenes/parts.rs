//! Machine parts of radius about 1, meshed as a CAD program would: a spur gear, a claw hammer, a workpiece.

use super::lattice::{Lattice, between, rounded_square, square_angle};
use super::{Point, Shape};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Points on the contour of one tooth: two flanks, tip and root.
const TOOTH: usize = 2 * FLANK + TIP + ROOT;
const FLANK: usize = 6;
const TIP: usize = 3;
const ROOT: usize = 3;

/// A spur gear with 20 involute teeth, a rim, five spokes, a hub and a bore with a keyway: 25,600 triangles.
pub fn spur_gear() -> Shape {
    const TEETH: usize = 20;
    const SPOKES: usize = 5;
    // Cells from the teeth inwards: up to where the rim, the web and the hub end.
    let [rim, web, hub] = [3, 9, 11];
    let around = TEETH * TOOTH;
    let radii = [(0.0, 1.0), (3.0, 0.66), (9.0, 0.34), (11.0, 0.18)];
    // The hub is thicker than the rim, and the rim than the web.
    let heights = [-0.22, -0.15, -0.06, 0.0, 0.06, 0.15, 0.22];
    let filled = |[i, j, k]: [usize; 3]| {
        let sector = around / SPOKES;
        let window = (12..60).contains(&(i % sector)) && (rim + 1..web - 1).contains(&j);
        match j {
            _ if window => false,
            _ if j < rim => (1..5).contains(&k),
            _ if j < web => (2..4).contains(&k),
            _ => true,
        }
    };
    let place = |[i, j, k]: [usize; 3]| {
        let even = TAU * i as f64 / around as f64;
        let polar = |radius: f64, angle: f64| {
            let (s, c) = libm::sincos(angle);
            [radius * c, radius * s]
        };
        let [x, y] = if j <= rim {
            let [radius, angle, under] = tooth(TEETH, i);
            let inwards = j as f64 / rim as f64;
            polar(radius + inwards * (radii[1].1 - radius), angle + inwards * (under - angle))
        } else if j == hub {
            // The keyway is at the angle 0.
            let off = if i > around / 2 { i as f64 - around as f64 } else { i as f64 };
            keyway(off).unwrap_or_else(|| polar(radii[3].1, even))
        } else {
            polar(between(&radii, j as f64), even)
        };
        [x, y, heights[k]]
    };
    Lattice { cells: [around, hub, 6], round: true }.skin(filled, place)
}

/// Radius and angle of a point of the contour, and the angle of the rim's inner point that belongs to it. The pressure
/// angle is 20°, the teeth have full depth, and the tips are at radius 1.
fn tooth(teeth: usize, i: usize) -> [f64; 3] {
    let pitch = 1.0 / (1.0 + 2.0 / teeth as f64);
    let module = 2.0 * pitch / teeth as f64;
    let (base, root) = (pitch * libm::cos(PI / 9.0), pitch - 1.25 * module);
    let involute = |a: f64| libm::tan(a) - a;
    // Half the tooth's angle at a radius; below the base circle the flank is radial.
    let half = |radius: f64| {
        let a = libm::acos((base / radius).min(1.0));
        0.5 * PI / teeth as f64 + involute(PI / 9.0) - involute(a)
    };
    let pitch_angle = TAU / teeth as f64;
    // The tip's middle is where even spacing has it, so that the cells within are not twisted.
    let middle = pitch_angle * ((i / TOOTH) as f64 + (FLANK as f64 + 0.5 * TIP as f64) / TOOTH as f64);
    let rising = |k: usize| root + (1.0 - root) * k as f64 / FLANK as f64;
    // Under a tooth its points draw together: a line from a flank to the rim must not leave the tooth on its way.
    let (foot, draw, top) = (half(root), 0.85, 2 * FLANK + TIP);
    let under = |k: usize| middle + draw * foot * (2.0 * k as f64 / top as f64 - 1.0);
    match i % TOOTH {
        k if k <= FLANK => [rising(k), middle - half(rising(k)), under(k)],
        k if k < FLANK + TIP => [1.0, middle + half(1.0) * (2.0 * (k - FLANK) as f64 / TIP as f64 - 1.0), under(k)],
        k if k <= top => [rising(top - k), middle + half(rising(top - k)), under(k)],
        k => {
            let part = (k - top) as f64 / ROOT as f64;
            let across = |foot: f64| middle + foot + part * (pitch_angle - 2.0 * foot);
            [root, across(foot), across(draw * foot)]
        }
    }
}

/// Where the bore's contour goes through the keyway, so many points from its middle.
fn keyway(off: f64) -> Option<[f64; 2]> {
    let (bore, bottom, half): (f64, f64, f64) = (0.18, 0.225, 0.04);
    // As wide as these points were on the bore: the contour is neither pulled nor pushed beside it.
    let (corner, mouth) = (8.0, 13.0);
    let mouth_x = (bore * bore - half * half).sqrt();
    let down = (off.abs() - corner) / (mouth - corner);
    match off.abs() {
        a if a > mouth => None,
        a if a > corner => Some([bottom + down * (mouth_x - bottom), half.copysign(off)]),
        _ => Some([bottom, half * off / corner]),
    }
}

/// A block with four drilled through holes, a milled pocket and a bored boss: 2,600 triangles.
pub fn workpiece() -> Shape {
    const HOLES: [[f64; 2]; 4] = [[4.0, 4.0], [4.0, 12.0], [27.0, 4.0], [27.0, 12.0]];
    const BOSS: [f64; 2] = [20.0, 8.0];
    let heights = [-0.2, -0.05, 0.1, 0.22, 0.34];
    let plain = |[i, j]: [f64; 2]| [0.055 * (i - 15.5), 0.06 * (j - 8.0)];
    let ring = |[x, y]: [f64; 2], [i, j, _]: [usize; 3]| (i as f64 + 0.5 - x).abs().max((j as f64 + 0.5 - y).abs());
    let filled = |cell: [usize; 3]| {
        let [i, j, k] = cell;
        let drilled = HOLES.iter().any(|hole| ring(*hole, cell) < 2.0);
        let pocket = (8..16).contains(&i) && (2..14).contains(&j) && k >= 1;
        let from_boss = ring(BOSS, cell);
        !drilled && !pocket && from_boss > 2.0 && (k < 2 || from_boss < 3.0)
    };
    let place = |[i, j, k]: [usize; 3]| {
        let at = [i as f64, j as f64];
        let near = HOLES.iter().find(|[x, y]| (at[0] - x).abs().max((at[1] - y).abs()) < 4.0);
        let [x, y] = match near {
            Some(hole) => rounded_square(at, *hole, [2.0, 4.0], 0.1, plain),
            None => rounded_square(at, BOSS, [3.0, 4.0], 0.2, plain),
        };
        [x, y, heights[k]]
    };
    Lattice { cells: [31, 16, 4], round: false }.skin(filled, place)
}

/// A claw hammer, its handle driven through the head, as one closed surface: 1,696 triangles.
pub fn hammer() -> Shape {
    // Along the head: claw, then the eye with the handle in it, then neck and striking face.
    const CLAW: usize = 9;
    const EYE: [usize; 2] = [10, 14];
    const LENGTH: usize = 20;
    // Up the handle: the head sits on it from here to there, and a little of it looks out at the top.
    const HEAD: [usize; 2] = [22, 26];
    const TOP: usize = 27;
    const ACROSS: usize = 6;
    let along = [(0.0, -0.52), (9.0, -0.12), (10.0, -0.075), (14.0, 0.075), (15.0, 0.12), (17.0, 0.24), (20.0, 0.36)];
    let width = [(0.0, 0.11), (9.0, 0.085), (15.0, 0.085), (16.0, 0.06), (17.0, 0.06), (18.0, 0.1), (20.0, 0.1)];
    let height =
        [(0.0, 0.008), (9.0, 0.075), (10.0, 0.1), (14.0, 0.1), (16.0, 0.06), (17.0, 0.06), (18.0, 0.1), (20.0, 0.1)];
    let roundness = [(0.0, 0.0), (14.0, 0.0), (16.0, 1.0), (20.0, 1.0)];
    let grip = [(0.0, 0.055), (1.0, 0.07), (4.0, 0.062), (8.0, 0.066), (15.0, 0.045), (22.0, 0.055), (27.0, 0.055)];
    let upright = [(0.0, -0.95), (22.0, 0.62), (26.0, 0.82), (27.0, 0.85)];

    let in_handle = |i: usize, j: usize| (EYE[0]..EYE[1]).contains(&i) && (1..ACROSS - 1).contains(&j);
    let filled = |[i, j, k]: [usize; 3]| {
        let slot = i < CLAW - 1 && (2..4).contains(&j);
        let head = (HEAD[0]..HEAD[1]).contains(&k) && !slot;
        head || in_handle(i, j)
    };
    let place = |[i, j, k]: [usize; 3]| -> Point {
        let (step, level) = (i as f64, k as f64);
        let disc = |u: f64, v: f64| {
            let ring = u.abs().max(v.abs());
            let (s, c) = if ring > 0.0 { square_angle([u / ring, v / ring]) } else { (0.0, 0.0) };
            [ring * c, ring * s]
        };
        let half = 0.5 * ACROSS as f64;
        let mut side = (j as f64 - half) / half;
        if i < CLAW && (j == 2 || j == 4) {
            // The slot is a V.
            side *= 0.3 + 0.9 * (1.0 - step / (CLAW - 1) as f64);
        }
        let up = 2.0 * (level - HEAD[0] as f64) / (HEAD[1] - HEAD[0]) as f64 - 1.0;
        let (wide, high, round) = (between(&width, step), between(&height, step), between(&roundness, step));
        let [y, z] = disc(side, up.clamp(-1.0, 1.0));
        let across = wide * (side + round * (y - side));
        // The claw bends down in a quarter circle or so.
        let bend = FRAC_PI_2 * (1.0 - step / CLAW as f64).max(0.0);
        let lift = 0.72 - 0.26 * (1.0 - libm::cos(bend));
        let above = lift + high * (up + round * (z - up));
        let in_eye = (EYE[0]..=EYE[1]).contains(&i) && (1..ACROSS).contains(&j);
        let on_handle = in_eye && (k <= HEAD[0] || k >= HEAD[1]);
        if on_handle {
            let middle = 0.5 * (EYE[0] + EYE[1]) as f64;
            let [x, y] = disc(0.5 * (step - middle), 0.5 * (j as f64 - half));
            let thick = between(&grip, level);
            return [1.25 * thick * x, thick * y, between(&upright, level)];
        }
        [between(&along, step), across, above]
    };
    Lattice { cells: [LENGTH, ACROSS, TOP], round: false }.skin(filled, place)
}
