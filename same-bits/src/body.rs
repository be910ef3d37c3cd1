//! Small bodies of every kind, in memory that is not on a heap.

use crate::dice::{Dice, METRE, metres};
use avert::hierarchy::build;
use avert::{Geometry, Hull, Model, NodeBytes, Scalar, Vec3};
use heapless::Vec;

const POINTS: usize = 48;
const TRIANGLES: usize = 60;
const HULLS: usize = 4;
const PRIMITIVES: usize = TRIANGLES + HULLS;

/// The triangles of a box whose corner `i` is at x, y, z by its bits 0, 1, 2.
const BOX: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// What a body is made of.
pub(crate) struct Parts<S> {
    points: Vec<Vec3<S>, POINTS>,
    triangles: Vec<[u32; 3], TRIANGLES>,
    hulls: Vec<Hull<S>, HULLS>,
}

impl<S: Scalar> Parts<S> {
    const NONE: Self = Self { points: Vec::new(), triangles: Vec::new(), hulls: Vec::new() };

    /// A simple body of about a metre: a few swept hulls, or a box.
    pub(crate) fn simple(dice: &mut Dice) -> Self {
        let mut parts = Self::NONE;
        if dice.below(2) == 0 {
            parts.swept(dice);
        } else {
            parts.boxes(dice, 1);
        }
        parts
    }

    /// A body of about a metre, of many parts.
    pub(crate) fn complex(dice: &mut Dice) -> Self {
        let mut parts = Self::NONE;
        match dice.below(4) {
            0 => parts.boxes(dice, 3),
            1 => parts.plate(dice),
            2 => parts.soup(dice),
            _ => {
                parts.boxes(dice, 1);
                parts.swept(dice);
            }
        }
        parts
    }

    fn point(&mut self, units: [i32; 3]) {
        self.points.push(units.map(metres).into()).expect("room for a point");
    }

    fn triangle(&mut self, corners: [u32; 3]) {
        self.triangles.push(corners).expect("room for a triangle");
    }

    /// Crooked boxes, as meshes.
    fn boxes(&mut self, dice: &mut Dice, count: u32) {
        for _ in 0..count {
            let first = self.corners(dice);
            BOX.iter().for_each(|corners| self.triangle(corners.map(|i| first + i)));
        }
    }

    /// The corners of a crooked box; the index of the first.
    fn corners(&mut self, dice: &mut Dice) -> u32 {
        let first = self.points.len() as u32;
        let (centre, half) = (dice.units(METRE / 2), METRE as i32 / 4);
        for corner in 0..8 {
            let jolt = dice.units(METRE / 8);
            self.point([0, 1, 2].map(|i| centre[i] + jolt[i] + if corner >> i & 1 == 0 { -half } else { half }));
        }
        first
    }

    /// A rough plate: an open mesh.
    fn plate(&mut self, dice: &mut Dice) {
        let [columns, rows] = [0; 2].map(|_| 2 + dice.below(4));
        for row in 0..=rows {
            for column in 0..=columns {
                let [x, y] = [column, row].map(|i| (i * METRE / 3) as i32 - METRE as i32 / 2);
                let [dx, dy, z] = dice.units(METRE / 8);
                self.point([x + dx, y + dy, z]);
            }
        }
        for i in (0..rows).flat_map(|row| (0..columns).map(move |column| row * (columns + 1) + column)) {
            let above = i + columns + 1;
            self.triangle([i, i + 1, above]);
            self.triangle([above, i + 1, above + 1]);
        }
    }

    /// Triangles between any of some points; a few are segments or points.
    fn soup(&mut self, dice: &mut Dice) {
        let points = 6 + dice.below(14);
        (0..points).for_each(|_| self.point(dice.units(METRE * 3 / 4)));
        for _ in 0..12 + dice.below(24) {
            self.triangle([0; 3].map(|_| dice.below(points)));
        }
    }

    /// Spheres, capsules, swept triangles and boxes.
    fn swept(&mut self, dice: &mut Dice) {
        for _ in 0..1 + dice.below(HULLS as u32) {
            let first = self.points.len() as u32;
            let count = [1, 2, 3, 8][dice.below(4) as usize];
            if count == 8 {
                self.corners(dice);
            } else {
                (0..count).for_each(|_| self.point(dice.units(METRE / 2)));
            }
            let radius = metres(dice.below(METRE / 4) as i32);
            self.hulls.push(Hull { first, count, radius }).expect("room for a hull");
        }
    }

    /// Builds the hierarchy. The points are exact.
    pub(crate) fn model<'a>(&'a self, storage: &'a mut Storage) -> Model<'a, S> {
        let geometry = Geometry::new(&self.points, &self.triangles, &self.hulls, S::ZERO).expect("a good geometry");
        build(geometry, &mut storage.nodes, &mut [0; PRIMITIVES]).expect("a hierarchy of a metre")
    }
}

/// What a hierarchy is built in.
pub(crate) struct Storage {
    nodes: [NodeBytes; PRIMITIVES],
}

impl Storage {
    pub(crate) const EMPTY: Self = Self { nodes: [[0; 30]; PRIMITIVES] };
}
