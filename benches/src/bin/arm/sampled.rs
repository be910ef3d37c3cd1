//! What is done where nothing is proved: parry's intersection test of the same convex links at samples along the path.
//!
//! The samples go from start to end, both included, so close that no joint moves by more than a step between two of them; the
//! first hit ends the check. A sample takes one pass of forward kinematics, in which links that are fixed to each other are one
//! frame, then for each link's box a look into the hierarchy of the obstacles, and a test of what is left.

use crate::column::{Answer, Column, Pairs};
use avert::motion::LinkIndex;
use avert::robot::{BodyIndex, Relation, Workcell};
use avert_cli::doors::{ArmTask, Frame, Plain};
use avert_host_tests::peers::Said;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::intersection_test;
use parry3d::shape::{ConvexPolyhedron, Cuboid, Shape};
use std::rc::Rc;
use std::time::Instant;

/// In radians.
const STEPS: [f32; 2] = [0.05, 0.01];

/// How far a point may be from where the description says, in metres or radians: the rounding of `f32`.
const ROUNDING: f32 = 1e-5;

/// Adds a column for each step. `Err` if parry moves the links of any path elsewhere than the description says.
pub(crate) fn add<'c>(
    task: &'c ArmTask,
    cell: &Workcell<'_, f64>,
    columns: &mut Vec<Box<dyn Column + 'c>>,
) -> Result<(), String> {
    let (scene, plain) = (Rc::new(Scene::new(task)?), task.plain()?);
    let agrees = |path: &usize| task.ends(*path).iter().all(|end| scene.agrees(task, &plain, end));
    if let Some(path) = (0..task.paths()).find(|path| !agrees(path)) {
        return Err(format!("path {path}: the sampled check has the links elsewhere"));
    }
    let links = checked(cell);
    for pairs in Pairs::ALL {
        for step in STEPS {
            columns.push(Box::new(Sampled::new(task, scene.clone(), step, pairs, &links)));
        }
    }
    Ok(())
}

/// The pairs of links that a verdict of ours is about.
fn checked(cell: &Workcell<'_, f64>) -> Vec<[usize; 2]> {
    let index = |link: usize| BodyIndex::Link(LinkIndex(link as u8));
    let pairs = (0..cell.joints()).flat_map(|a| (0..a).map(move |b| [a, b]));
    pairs.filter(|pair| cell.relation(pair.map(index)) == Relation::Checked).collect()
}

/// A robot and a world as parry has them.
struct Scene {
    joints: Vec<Joint>,
    solids: Vec<Solid>,
    boxes: Vec<(Pose, Cuboid)>,
    hierarchy: Bvh,
}

/// A joint that turns.
struct Joint {
    parent: Option<usize>,
    origin: Pose,
    axis: Vector,
    value: usize,
}

/// A piece of a link, in the frame of the joint that moves it.
struct Solid {
    link: usize,
    joint: Option<usize>,
    shape: ConvexPolyhedron,
    room: Aabb,
}

impl Scene {
    fn new(task: &ArmTask) -> Result<Self, String> {
        let Plain { links, boxes } = task.plain()?;
        let (mut joints, mut solids) = (Vec::new(), Vec::new());
        // Of each link, the joint that moves it and where it is in that joint's frame.
        let mut hung: Vec<(Option<usize>, Pose)> = Vec::new();
        for (index, link) in links.iter().enumerate() {
            let (parent, at) = link.parent.map_or((None, Pose::IDENTITY), |parent| hung[parent]);
            let origin = at * pose(&link.origin);
            let (joint, at) = match link.axis {
                None => (parent, origin),
                Some((axis, value)) => {
                    joints.push(Joint { parent, origin, axis: vector(axis), value });
                    (Some(joints.len() - 1), Pose::IDENTITY)
                }
            };
            hung.push((joint, at));
            for piece in &link.pieces {
                let points: Vec<_> = piece.iter().map(|point| at * vector(*point)).collect();
                let shape = ConvexPolyhedron::from_convex_hull(&points).ok_or("parry finds no hull of a link")?;
                solids.push(Solid { link: index, joint, room: shape.compute_local_aabb(), shape });
            }
        }
        let boxes: Vec<_> = boxes.iter().map(|(half, at)| (pose(at), Cuboid::new(vector(*half)))).collect();
        let rooms: Vec<_> = boxes.iter().map(|(at, cuboid)| cuboid.compute_aabb(at)).collect();
        Ok(Self { joints, solids, boxes, hierarchy: Bvh::from_leaves(BvhBuildStrategy::Binned, &rooms) })
    }

    /// The pairs of pieces of these links.
    fn pairs(&self, links: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let of = |link: usize| (0..self.solids.len()).filter(move |solid| self.solids[*solid].link == link);
        links.iter().flat_map(|[a, b]| of(*a).flat_map(move |one| of(*b).map(move |other| [one, other]))).collect()
    }

    /// Where the joints' frames are.
    fn place(&self, values: &[f32], frames: &mut Vec<Pose>) {
        frames.clear();
        for Joint { parent, origin, axis, value } in &self.joints {
            let turned = *origin * Pose::from_rotation(Rotation::from_axis_angle(*axis, values[*value]));
            frames.push(parent.map_or(turned, |parent| frames[parent] * turned));
        }
    }

    /// Is every piece where the description says?
    fn agrees(&self, task: &ArmTask, plain: &Plain, values: &[f64]) -> bool {
        let mut frames = Vec::new();
        self.place(&values.iter().map(|x| *x as f32).collect::<Vec<_>>(), &mut frames);
        let truth = task.frames(values);
        let mut solids = self.solids.iter();
        plain.links.iter().zip(&truth).all(|(link, truth)| {
            link.pieces.iter().zip(&mut solids).all(|(piece, solid)| {
                let frame = solid.joint.map_or(Pose::IDENTITY, |joint| frames[joint]);
                let theirs = solid.shape.compute_aabb(&frame);
                let points: Vec<_> = piece.iter().map(|point| pose(truth) * vector(*point)).collect();
                let ours = Aabb::from_points(points);
                (theirs.mins - ours.mins).length() < ROUNDING && (theirs.maxs - ours.maxs).length() < ROUNDING
            })
        })
    }
}

fn vector(x: [f64; 3]) -> Vector {
    Vector::from(x.map(|x| x as f32))
}

fn pose(Frame { rotation, position }: &Frame) -> Pose {
    let rows = rotation.map(vector);
    let matrix = parry3d::math::Matrix::from_cols(rows[0], rows[1], rows[2]).transpose();
    Pose::from_parts(vector(*position), Rotation::from_mat3(&matrix))
}

/// The sampled check with one step.
struct Sampled<'c> {
    task: &'c ArmTask,
    scene: Rc<Scene>,
    step: f32,
    pairs: Pairs,
    /// Pieces that must not touch each other.
    own: Vec<[usize; 2]>,
    frames: Vec<Pose>,
    rooms: Vec<Aabb>,
    values: Vec<f32>,
}

impl<'c> Sampled<'c> {
    /// With pairs of links of which none must touch the other.
    fn new(task: &'c ArmTask, scene: Rc<Scene>, step: f32, pairs: Pairs, links: &[[usize; 2]]) -> Self {
        let own = match pairs {
            Pairs::World => Vec::new(),
            Pairs::WorldAndSelf => scene.pairs(links),
        };
        Self { task, scene, step, pairs, own, frames: Vec::new(), rooms: Vec::new(), values: Vec::new() }
    }

    fn hits(&mut self) -> Result<bool, String> {
        let scene = &*self.scene;
        scene.place(&self.values, &mut self.frames);
        self.rooms.clear();
        for Solid { joint, shape, room, .. } in &scene.solids {
            let frame = joint.map_or(Pose::IDENTITY, |joint| self.frames[joint]);
            let room = room.transform_by(&frame);
            self.rooms.push(room);
            if joint.is_none() {
                continue;
            }
            for near in scene.hierarchy.intersect_aabb(&room) {
                let (at, cuboid) = &scene.boxes[near as usize];
                if intersection_test(&frame, shape, at, cuboid).map_err(|e| e.to_string())?.intersecting {
                    return Ok(true);
                }
            }
        }
        for [a, b] in &self.own {
            if self.rooms[*a].intersects(&self.rooms[*b]) {
                let [one, other] = [a, b].map(|solid| &scene.solids[*solid]);
                let [at, by] = [one, other].map(|solid| solid.joint.map_or(Pose::IDENTITY, |joint| self.frames[joint]));
                if intersection_test(&at, &one.shape, &by, &other.shape).map_err(|e| e.to_string())?.intersecting {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl Column for Sampled<'_> {
    fn name(&self) -> String {
        format!("parry f32, every {} rad", self.step)
    }

    fn pairs(&self) -> Pairs {
        self.pairs
    }

    fn ask(&mut self, path: usize) -> Result<Answer, String> {
        let start = Instant::now();
        let [from, to] = self.task.ends(path);
        let most = from.iter().zip(to).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max);
        let steps = (most / f64::from(self.step)).ceil().max(1.0);
        let mut said = Said::Free;
        for i in 0..=steps as u32 {
            let time = f64::from(i) / steps;
            self.values.clear();
            self.values.extend(from.iter().zip(to).map(|(a, b)| (a + (b - a) * time) as f32));
            if self.hits()? {
                said = Said::Contact(time);
                break;
            }
        }
        Ok(Answer { said, free_until: None, took: start.elapsed(), stats: None })
    }
}
