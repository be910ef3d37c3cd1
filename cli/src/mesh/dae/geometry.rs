//! The triangles of one `<geometry>`.

use super::affine::Affine;
use crate::error::InputError;
use crate::xml::{Xml, children, describe, finite};
use avert::Interval;
use roxmltree::Node;

/// Adds the placed points and the triangles over them.
pub(super) fn read<'t>(
    xml: &Xml<'t>,
    geometry: Node<'_, 't>,
    placed: &Affine,
    points: &mut Vec<[Interval<f64>; 3]>,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), InputError> {
    let mesh = xml.needed_child(geometry, "mesh")?;
    let vertices = xml.needed_child(mesh, "vertices")?;
    let positions = positions(xml, mesh, vertices)?;
    let (first, count) = (points.len(), positions.len());
    points.extend(positions.iter().map(|point| placed.apply(point.map(Interval::from_decimal))));
    let mirrored = placed.mirrors();
    for primitive in mesh.children().filter(Node::is_element) {
        // Of the elements that have several <p>, each is a figure of its own.
        let each =
            || children(primitive, "p").map(|p| corners(xml, primitive, &p, count)).collect::<Result<Vec<_>, _>>();
        let strips = |size| Ok(each()?.iter().flat_map(|p| strip(p, size)).collect());
        let polygons: Vec<Vec<usize>> = match primitive.tag_name().name() {
            "source" | "vertices" | "extra" => continue,
            "triangles" => groups(xml, primitive, 3, count)?,
            // Lines are kept, as degenerate triangles.
            "lines" => groups(xml, primitive, 2, count)?,
            "linestrips" => strips(2)?,
            "tristrips" => strips(3)?,
            "trifans" => each()?,
            "polylist" => polylist(xml, primitive, count)?,
            "polygons" => match children(primitive, "ph").next() {
                Some(hole) => return Err(xml.error(hole, "<polygons>: expected polygons without holes, found <ph>")),
                None => each()?,
            },
            other => {
                let what = format!(
                    "expected triangles, polylist or polygons, found <{other}>: it would be missing from the shape"
                );
                return Err(xml.error(primitive, what));
            }
        };
        for polygon in polygons {
            let index = |i: usize| u32::try_from(first + i).ok();
            let triangle = |a, b, c| match mirrored {
                false => Some([index(a)?, index(b)?, index(c)?]),
                true => Some([index(a)?, index(c)?, index(b)?]),
            };
            // Fewer than three corners are kept, as degenerate triangles.
            let fan: Option<Vec<_>> = match *polygon.as_slice() {
                [] => Some(Vec::new()),
                [a] => triangle(a, a, a).map(|t| vec![t]),
                [a, b] => triangle(a, b, b).map(|t| vec![t]),
                [a, ref rest @ ..] => rest.iter().zip(rest.iter().skip(1)).map(|(b, c)| triangle(a, *b, *c)).collect(),
            };
            triangles.extend(fan.ok_or_else(|| xml.error(primitive, "expected fewer than 2³² points"))?);
        }
    }
    Ok(())
}

/// Each so many corners in a row, which wind to and fro. A strip that is too short is one figure.
fn strip(corners: &[usize], size: usize) -> Vec<Vec<usize>> {
    let mut figures: Vec<_> = corners.windows(size.min(corners.len()).max(1)).map(<[usize]>::to_vec).collect();
    figures.iter_mut().skip(1).step_by(2).for_each(|figure| figure.reverse());
    figures
}

/// Corners, so many for each figure.
fn groups<'t>(
    xml: &Xml<'t>,
    primitive: Node<'_, 't>,
    size: usize,
    count: usize,
) -> Result<Vec<Vec<usize>>, InputError> {
    let corners = corners(xml, primitive, &xml.needed_child(primitive, "p")?, count)?;
    if corners.len() % size != 0 {
        let (tag, found) = (primitive.tag_name().name(), corners.len());
        return Err(xml.error(primitive, format!("<{tag}>: expected {size} corners each, found {found} in all")));
    }
    Ok(corners.chunks_exact(size).map(<[usize]>::to_vec).collect())
}

/// The polygons of a `<polylist>`, by their corners.
fn polylist<'t>(xml: &Xml<'t>, primitive: Node<'_, 't>, count: usize) -> Result<Vec<Vec<usize>>, InputError> {
    let sizes =
        xml.content(xml.needed_child(primitive, "vcount")?, "whole numbers", |word| word.parse::<usize>().ok())?;
    let corners = corners(xml, primitive, &xml.needed_child(primitive, "p")?, count)?;
    let mut rest = corners.as_slice();
    let mut polygons = Vec::with_capacity(sizes.len());
    let wrong = |found: usize| {
        let expected = sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size));
        xml.error(primitive, format!("<polylist>: expected {expected} corners, as <vcount> says, found {found}"))
    };
    for size in &sizes {
        let (polygon, after) = rest.split_at_checked(*size).ok_or_else(|| wrong(corners.len()))?;
        polygons.push(polygon.to_vec());
        rest = after;
    }
    if rest.is_empty() { Ok(polygons) } else { Err(wrong(corners.len())) }
}

/// The points' numbers out of a `<p>`, in which other numbers stand between them.
fn corners<'t>(
    xml: &Xml<'t>,
    primitive: Node<'_, 't>,
    p: &Node<'_, 't>,
    count: usize,
) -> Result<Vec<usize>, InputError> {
    let (mut offset, mut stride) = (None, 0);
    for input in children(primitive, "input") {
        let at: usize = xml.attribute(input, "offset")?.parse().map_err(|_| {
            let found = input.attribute("offset").unwrap_or_default();
            xml.error(input, format!("<input>: expected a whole number as offset, found `{found}`"))
        })?;
        stride = stride.max(at.saturating_add(1));
        if input.attribute("semantic") == Some("VERTEX") {
            offset = Some(at);
        }
    }
    let Some(offset) = offset else {
        let what = format!("{}: expected an <input> with the semantic VERTEX, found none", describe(primitive));
        return Err(xml.error(primitive, what));
    };
    let expected = format!("whole numbers from 0, at the corners below {count}");
    let numbers = xml.content(*p, &expected, |word| word.parse::<usize>().ok())?;
    if numbers.len() % stride != 0 {
        let what = format!("<p>: expected {stride} numbers a corner, found {} in all", numbers.len());
        return Err(xml.error(*p, what));
    }
    let corners: Vec<_> = numbers.into_iter().skip(offset).step_by(stride).collect();
    match corners.iter().find(|corner| **corner >= count) {
        None => Ok(corners),
        Some(corner) => Err(xml.error(*p, format!("<p>: expected numbers of points below {count}, found {corner}"))),
    }
}

/// What `<vertices>` calls POSITION.
fn positions<'t>(xml: &Xml<'t>, mesh: Node<'_, 't>, vertices: Node<'_, 't>) -> Result<Vec<[f64; 3]>, InputError> {
    let input = children(vertices, "input").find(|input| input.attribute("semantic") == Some("POSITION"));
    let input =
        input.ok_or_else(|| xml.error(vertices, "<vertices>: expected an <input> with the semantic POSITION"))?;
    let name = xml.attribute(input, "source")?;
    let source = children(mesh, "source").find(|source| source.attribute("id") == name.strip_prefix('#'));
    let source = source.ok_or_else(|| {
        xml.error(input, format!("<input>: expected the id of a <source> of this mesh, found `{name}`"))
    })?;
    let array = xml.needed_child(source, "float_array")?;
    let numbers = xml.content(array, "finite numbers", finite)?;
    let accessor = xml.needed_child(xml.needed_child(source, "technique_common")?, "accessor")?;
    let whole = |name: &str, default: usize| match accessor.attribute(name) {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| xml.error(accessor, format!("<accessor>: expected a whole number as {name}, found `{text}`"))),
    };
    let (count, stride, offset) = (whole("count", 0)?, whole("stride", 1)?, whole("offset", 0)?);
    let axes: Vec<_> = children(accessor, "param").map(|param| param.attribute("name").unwrap_or_default()).collect();
    if stride < 3 || axes != ["X", "Y", "Z"] {
        let what = format!(
            "<accessor>: expected the params X, Y, Z and a stride of 3, found {} and {stride}",
            axes.join(", ")
        );
        return Err(xml.error(accessor, what));
    }
    let points: Vec<_> = numbers
        .get(offset..)
        .unwrap_or_default()
        .chunks(stride)
        .filter_map(|chunk| chunk.get(..3)?.try_into().ok())
        .take(count)
        .collect();
    if points.len() == count {
        return Ok(points);
    }
    let what =
        format!("<accessor>: expected {count} points, found {} numbers: enough for {}", numbers.len(), points.len());
    Err(xml.error(accessor, what))
}
