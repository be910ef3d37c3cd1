//! Baked models of links and of things in the world, and what became of their pieces.

use super::piece::{Piece, PieceKind};
use crate::assembly::{Assembly, Baked};
use crate::convert::{FAR, grid_around};
use crate::error::InputError;
use crate::mesh::UpAxis;
use crate::placement::Placement;
use crate::robot::{Collision, Link, RobotDescription};
use crate::world::{Object, Shape, World};
use avert::hierarchy::Blob;
use avert::kernel::SolidError;
use std::path::PathBuf;

/// A baked model.
#[derive(Debug)]
pub(crate) struct Body {
    /// For [`Blob::parse`]: the link in its own frame, or the object in its own.
    pub(crate) bytes: Vec<u8>,
    pub(crate) report: BodyReport,
}

/// What a model is made of.
#[derive(Debug)]
pub(crate) struct BodyReport {
    /// Of the link or the object.
    pub(crate) name: String,
    pub(crate) triangles: usize,
    pub(crate) hulls: usize,
    pub(crate) points: usize,
    pub(crate) nodes: usize,
    pub(crate) bytes: usize,
    /// How far a true point may be from the stored one, in metres. What is proved takes it into account.
    pub(crate) error: f64,
    /// How far hulls reach beyond the true shape, in metres: what a contact may be short of.
    pub(crate) excess: f64,
    /// The meshes that are surfaces, since they are not closed.
    pub(crate) open: Vec<OpenMesh>,
}

/// A mesh that is not full inside.
#[derive(Debug)]
pub(crate) struct OpenMesh {
    pub(crate) file: PathBuf,
    pub(crate) why: SolidError,
}

impl Body {
    /// `None` for a link without pieces, which touches nothing.
    pub(super) fn of_link(
        robot: &RobotDescription,
        link: &Link,
        up_axis: Option<UpAxis>,
    ) -> Result<Option<Self>, InputError> {
        let name = &link.name;
        let pieces = pieces_of(robot, link, up_axis)?;
        if pieces.is_empty() {
            return Ok(None);
        }
        let refuse = |what| InputError::at(&robot.file, link.line, format!("link `{name}`: {what}"));
        Self::new(name, &pieces).map(Some).map_err(refuse)
    }

    /// In the object's own frame, wherever that is.
    pub(super) fn of_object(world: &World, object: &Object, up_axis: Option<UpAxis>) -> Result<Self, InputError> {
        let refuse = |what| InputError::at(&world.file, object.line, format!("`{}`: {what}", object.name));
        let pieces = match &object.shape {
            Shape::Solid(geometry) => vec![Piece::new(geometry, &Placement::default(), up_axis, refuse)?],
            Shape::Points { points, radius } => Piece::balls(points, *radius).collect(),
        };
        Self::new(&object.name, &pieces).map_err(refuse)
    }

    fn new(name: &str, pieces: &[Piece]) -> Result<Self, String> {
        let most = pieces.iter().map(Piece::most).fold(0.0, f64::max);
        let grid =
            grid_around(most).ok_or_else(|| format!("expected lengths within {FAR:.0e} metres, found {most}"))?;
        let mut assembly = Assembly::new(grid);
        let (mut open, mut beyond) = (Vec::new(), 0.0_f64);
        for Piece { points, numbers, kind } in pieces {
            beyond = beyond.max(match kind {
                PieceKind::Hull { radius, excess } => excess + assembly.add_hull(points, *numbers, *radius),
                PieceKind::Mesh { file, triangles } => {
                    let added = assembly.add_mesh(points, *numbers, triangles);
                    open.extend(added.open.map(|why| OpenMesh { file: file.clone(), why }));
                    added.hull.map_or(0.0, |(_, excess)| excess)
                }
            });
        }
        let unusable = |what: String| format!("expected a usable shape: {what}");
        let Baked { bytes, triangles, hulls, points, error, .. } = assembly.bake().map_err(unusable)?;
        let nodes = Blob::parse(&bytes).map_err(|e| unusable(e.to_string()))?.nodes();
        let (name, length) = (name.to_owned(), bytes.len());
        let report = BodyReport { name, triangles, hulls, points, nodes, bytes: length, error, excess: beyond, open };
        Ok(Self { bytes, report })
    }
}

fn pieces_of(robot: &RobotDescription, link: &Link, up_axis: Option<UpAxis>) -> Result<Vec<Piece>, InputError> {
    let piece = |piece: &Collision| {
        let refuse = |what| InputError::at(&robot.file, piece.line, format!("link `{}`: {what}", link.name));
        Piece::new(&piece.geometry, &piece.origin, up_axis, refuse)
    };
    link.collisions.iter().map(piece).collect()
}

/// The corners of each piece of a link, in its frame; `None` if one of them has a radius besides.
pub(crate) fn pieces(robot: &RobotDescription, link: &Link) -> Result<Option<Vec<Vec<[f64; 3]>>>, InputError> {
    let corners = |Piece { points, kind, .. }| match kind {
        PieceKind::Hull { radius, .. } if radius.hi() > 0.0 => None,
        PieceKind::Hull { .. } | PieceKind::Mesh { .. } => Some(points),
    };
    Ok(pieces_of(robot, link, None)?.into_iter().map(corners).collect())
}

#[cfg(test)]
mod tests {
    use super::super::samples::{NOTCHED, Sample, link};
    use super::*;
    use avert::Vec3;
    use avert::kernel::winding;

    const PLACED: &str = r#"<origin xyz="0.3 -0.2 0.1" rpy="0.4 -1.3 2.2"/>"#;

    fn mesh(origin: &str, attributes: &str) -> String {
        format!("{origin}<geometry><mesh {attributes}/></geometry>")
    }

    fn body(sample: &Sample, pieces: &[&str]) -> Result<Body, InputError> {
        let robot = sample.robot(&link("l", pieces));
        Body::of_link(&robot, &robot.links[0], None).map(|body| body.expect("a link with pieces"))
    }

    /// How often the body winds about a point; `None` for a surface.
    fn winds(body: &Body, point: [f64; 3]) -> Option<i64> {
        let blob = Blob::parse(&body.bytes).unwrap();
        let model = blob.model::<f64>(&mut vec![0; blob.scratch_needed()]).unwrap();
        model.is_solid().then(|| winding(&model, Vec3::from(point), 0.0).0.unwrap().number)
    }

    #[test]
    fn pieces_of_all_kinds_make_one_model() {
        let sample = Sample::new("pieces");
        sample.write("block.obj", NOTCHED);
        sample.write("hull.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
        let (block, hull) = (mesh(PLACED, r#"filename="block.obj""#), mesh("", r#"filename="hull.obj""#));
        let solids = [
            r#"<geometry><box size="1 2 3"/></geometry>"#,
            r#"<geometry><sphere radius="0.3"/></geometry>"#,
            r#"<geometry><cylinder radius="0.1" length="1"/></geometry>"#,
            r#"<geometry><capsule radius="0.2" length="1"/></geometry>"#,
        ];
        let body = body(&sample, &[&block, &hull, solids[0], solids[1], solids[2], solids[3], &block]).unwrap();
        let report = &body.report;
        assert_eq!(
            [report.triangles, report.hulls, report.points, report.nodes],
            [32, 5, 10 + 4 + 8 + 1 + 64 + 2 + 10, 36]
        );
        assert!(report.name == "l" && report.bytes == body.bytes.len() && report.open.is_empty());
        assert!(report.error > 0.0 && report.error < 1e-6, "{report:?}");
        // A prism of 32 sides around a radius of 0.1.
        assert!((report.excess - 0.000_483_9).abs() < 1e-7, "{report:?}");
        let robot = sample.robot(&link("frame", &[]));
        assert!(Body::of_link(&robot, &robot.links[0], None).unwrap().is_none());
    }

    #[test]
    fn a_mesh_is_where_its_placement_puts_it() {
        let sample = Sample::new("placed");
        sample.write("block.obj", NOTCHED);
        let frame = Placement { xyz: [0.3, -0.2, 0.1], rpy: [0.4, -1.3, 2.2] }.frame();
        // A mirror image is as full inside as the mesh, and faces the same way.
        for scale in [[1.0; 3], [-1.0, 1.0, 1.0], [0.5, -2.0, -0.25], [-0.5, -0.5, -0.5]] {
            let [x, y, z] = scale;
            let body =
                body(&sample, &[&mesh(PLACED, &format!(r#"filename="block.obj" scale="{x} {y} {z}""#))]).unwrap();
            let at = |[x, y, z]: [f64; 3]| frame.apply([x * scale[0], y * scale[1], z * scale[2]]);
            for (point, inside) in
                [([0.1, 1.0, 0.8], 1), ([1.0, 1.9, 0.4], 1), ([1.0, 1.0, 0.6], 0), ([2.1, 1.0, 0.5], 0)]
            {
                assert_eq!(winds(&body, at(point)), Some(inside), "{scale:?} {point:?}");
            }
            // Every corner is near to where it should be, in whatever order.
            let blob = Blob::parse(&body.bytes).unwrap();
            let model = blob.model::<f64>(&mut vec![0; blob.scratch_needed()]).unwrap();
            let stored: Vec<_> = (0..10).filter_map(|i| model.geometry().point(i)).map(Vec3::to_array).collect();
            for corner in [[0.0, 0.0, 0.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.5], [0.0, 2.0, 1.0]] {
                let truth = at(corner);
                let apart = |p: &[f64; 3]| p.iter().zip(truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                let least = stored.iter().map(apart).fold(f64::INFINITY, f64::min);
                assert!(least <= body.report.error && body.report.error < 1e-6, "{scale:?} {corner:?} {least}");
            }
        }
    }

    #[test]
    fn open_meshes_are_told() {
        let sample = Sample::new("open");
        let (open, _) = NOTCHED.trim_end().rsplit_once('\n').unwrap();
        sample.write("open.obj", open);
        sample.write("block.obj", NOTCHED);
        let [open, closed] = ["open.obj", "block.obj"].map(|file| mesh("", &format!(r#"filename="{file}""#)));
        let surface = body(&sample, &[&open]).unwrap();
        assert_eq!(winds(&surface, [0.1, 1.0, 0.8]), None);
        let mixed = body(&sample, &[&open, &closed]).unwrap();
        assert_eq!(winds(&mixed, [0.1, 1.0, 0.8]), Some(1));
        for report in [surface.report, mixed.report] {
            let [OpenMesh { file, why }] = report.open.as_slice() else { panic!("{report:?}") };
            assert!(file.ends_with("open.obj") && *why == SolidError::Open([0, 5]), "{why}");
        }
    }

    #[test]
    fn a_link_without_placement_is_the_baked_mesh() {
        let sample = Sample::new("same");
        let file = sample.write("block.obj", NOTCHED);
        let body = body(&sample, &[&mesh("", r#"filename="block.obj""#)]).unwrap();
        assert_eq!(body.bytes, crate::bake::read(&file, None).unwrap());
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let sample = Sample::new("large");
        let error = body(&sample, &[r#"<geometry><box size="1 1 9e9"/></geometry>"#]).unwrap_err().to_string();
        assert!(
            error.contains("robot.urdf:2: link `l`: expected lengths within 1e9 metres, found 4500000000"),
            "{error}"
        );
    }
}
