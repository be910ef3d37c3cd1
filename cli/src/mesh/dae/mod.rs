//! COLLADA, by `roxmltree`: the geometry of the scene that the file shows, placed and in metres.
//!
//! Every number becomes an interval around its decimal before it is multiplied, so that it is known how far the points may
//! be from those that the file means.

mod affine;
mod geometry;

use super::{Shape, UpAxis};
use crate::convert::Numbers;
use crate::error::InputError;
use crate::xml::{Xml, children, describe, finite};
use affine::Affine;
use avert::Interval;
use roxmltree::Node;
use std::path::Path;

/// Nodes can be shown through others; a circle of them never ends.
const DEEPEST: usize = 64;

pub(super) fn read(file: &Path, bytes: &[u8], up_axis: Option<UpAxis>) -> Result<Shape, InputError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| InputError::new(file, format!("expected a COLLADA file as text in UTF-8: {e}")))?;
    let xml = Xml::parse(file, text)?;
    let root = xml.root("COLLADA")?;
    let scene = xml.needed_child(root, "scene")?;
    let shown = xml.needed_child(scene, "instance_visual_scene")?;
    let mut found = Found { xml: &xml, points: Vec::new(), triangles: Vec::new() };
    let placed = to_metres(&xml, root, up_axis)?;
    let scene = found.target(shown, "visual_scene")?;
    for node in children(scene, "node") {
        found.node(node, &placed, 0)?;
    }
    let Found { points, triangles, .. } = found;
    // `f64::max` would drop a NaN.
    let radii: Vec<_> = points.iter().flatten().map(|x| x.radius_hi()).collect();
    if !radii.iter().all(|radius| radius.is_finite()) {
        return Err(InputError::new(
            file,
            "expected coordinates that stay finite when placed, found one that does not",
        ));
    }
    let error = radii.into_iter().fold(0.0, f64::max);
    let points = points.into_iter().map(|point| point.map(Interval::mid)).collect();
    Ok(Shape { points, triangles, numbers: Numbers::Within(error), is_text: true })
}

/// From the file's unit and axes to metres with z up.
fn to_metres<'t>(xml: &Xml<'t>, root: Node<'_, 't>, choice: Option<UpAxis>) -> Result<Affine, InputError> {
    let asset = xml.child(root, "asset")?;
    let unit = asset.map(|asset| xml.child(asset, "unit")).transpose()?.flatten();
    let metres = unit.map(|unit| Ok((unit, xml.number(unit, "meter")?.unwrap_or(1.0)))).transpose()?;
    if let Some((unit, x)) = metres.filter(|(_, x)| *x <= 0.0) {
        return Err(xml.error(unit, format!("<unit>: expected a positive number of metres, found {x}")));
    }
    let scale = Affine::scale([Interval::from_decimal(metres.map_or(1.0, |(_, x)| x)); 3]);
    let up = asset.map(|asset| xml.child(asset, "up_axis")).transpose()?.flatten();
    // y, where nothing is said.
    let axis = up.and_then(|up| up.text()).map_or("Y_UP", str::trim);
    let turn = match axis {
        "Z_UP" => return Ok(scale),
        "Y_UP" => Affine::turn_y_up(),
        "X_UP" => Affine::turn_x_up(),
        found => {
            return Err(
                xml.error(up.unwrap_or(root), format!("<up_axis>: expected Z_UP, Y_UP or X_UP, found `{found}`"))
            );
        }
    };
    match choice {
        Some(UpAxis::Ignore) => Ok(scale),
        Some(UpAxis::Turn) => Ok(turn.then(&scale)),
        None => {
            let said = if up.is_some() { axis.to_owned() } else { "none, which means Y_UP".to_owned() };
            let what = format!(
                "expected <up_axis> Z_UP, found {said}: say --up-axis ignore (as RViz and MoveIt do) or --up-axis turn \
                 (as COLLADA says)"
            );
            Err(xml.error(up.unwrap_or(root), what))
        }
    }
}

/// What the walk through the scene has come upon.
struct Found<'x, 't> {
    xml: &'x Xml<'t>,
    points: Vec<[Interval<f64>; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl<'x, 't> Found<'x, 't> {
    /// The element that `url="#id"` means.
    fn target(&self, instance: Node<'x, 't>, tag: &str) -> Result<Node<'x, 't>, InputError> {
        let url = self.xml.attribute(instance, "url")?;
        let id = url.strip_prefix('#').filter(|id| !id.is_empty());
        let named = |node: &Node<'_, '_>| node.tag_name().name() == tag && node.attribute("id") == id;
        let target = id.and_then(|_| instance.document().descendants().find(named));
        target.ok_or_else(|| {
            let tag_here = describe(instance);
            self.xml.error(instance, format!("{tag_here}: expected the id of a <{tag}> of this file, found `{url}`"))
        })
    }

    fn node(&mut self, node: Node<'x, 't>, outer: &Affine, depth: usize) -> Result<(), InputError> {
        if depth == DEEPEST {
            return Err(self.xml.error(node, format!("expected at most {DEEPEST} nodes in each other, found more")));
        }
        let mut placed = outer.clone();
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                tag @ ("matrix" | "translate" | "rotate" | "scale") => {
                    placed = placed.then(&self.transform(child, tag)?)
                }
                "node" => self.node(child, &placed, depth + 1)?,
                "instance_node" => self.node(self.target(child, "node")?, &placed, depth + 1)?,
                "instance_geometry" => {
                    let geometry = self.target(child, "geometry")?;
                    geometry::read(self.xml, geometry, &placed, &mut self.points, &mut self.triangles)?;
                }
                "asset" | "instance_camera" | "instance_light" | "extra" => {}
                other => {
                    let what = format!(
                        "expected geometry and its placement, found <{other}>: it would be missing from the shape"
                    );
                    return Err(self.xml.error(child, what));
                }
            }
        }
        Ok(())
    }

    fn transform(&self, node: Node<'_, '_>, tag: &str) -> Result<Affine, InputError> {
        let numbers = self.xml.content(node, "finite numbers", finite)?;
        let intervals: Vec<_> = numbers.iter().copied().map(Interval::from_decimal).collect();
        let transform = match (tag, intervals.as_slice()) {
            ("matrix", [a, b, c, d, e, f, g, h, i, j, k, l, ..]) if numbers.len() == 16 => {
                if numbers.get(12..) != Some(&[0.0, 0.0, 0.0, 1.0]) {
                    return Err(self.xml.error(node, "<matrix>: expected a last row 0 0 0 1, found another"));
                }
                Some(Affine([[*a, *b, *c, *d], [*e, *f, *g, *h], [*i, *j, *k, *l]]))
            }
            ("translate", [x, y, z]) => Some(Affine::translate([*x, *y, *z])),
            ("scale", [x, y, z]) => Some(Affine::scale([*x, *y, *z])),
            ("rotate", [x, y, z, degrees]) => {
                if numbers.iter().take(3).all(|x| *x == 0.0) {
                    return Err(self.xml.error(node, "<rotate>: expected an axis that is not zero, found 0 0 0"));
                }
                Some(Affine::rotate([*x, *y, *z], *degrees))
            }
            _ => None,
        };
        transform.ok_or_else(|| {
            let count = match tag {
                "matrix" => 16,
                "rotate" => 4,
                _ => 3,
            };
            self.xml.error(node, format!("<{tag}>: expected {count} numbers, found {}", numbers.len()))
        })
    }
}
