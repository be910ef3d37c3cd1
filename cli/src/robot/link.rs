//! Links and what they are made of.

use super::{Options, Visuals, origin};
use crate::error::InputError;
use crate::geometry::Geometry;
use crate::placement::Placement;
use crate::xml::{Xml, children};
use roxmltree::Node;
use std::path::Path;

/// A rigid part. Without collisions it is a mere frame.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) collisions: Vec<Collision>,
    /// Were visuals taken for collision geometry?
    pub(crate) from_visuals: bool,
    pub(crate) line: usize,
}

/// One piece of a link.
#[derive(Debug)]
pub(crate) struct Collision {
    /// In the link's frame.
    pub(crate) origin: Placement,
    pub(crate) geometry: Geometry,
    pub(crate) line: usize,
}

pub(super) fn read<'t>(xml: &Xml<'t>, file: &Path, node: Node<'_, 't>, options: &Options) -> Result<Link, InputError> {
    let name = xml.attribute(node, "name")?.to_owned();
    let has = |element: &str| children(node, element).next();
    let from_visuals = match (has("collision"), has("visual"), options.visuals) {
        (None, Some(visual), Visuals::Refuse) => {
            let what = format!(
                "link `{name}`: expected <collision> geometry, found only <visual>: say --visuals use to take the \
                 visuals, or --visuals ignore to let this link touch anything"
            );
            return Err(xml.error(visual, what));
        }
        (None, Some(_), Visuals::Use) => true,
        (None, Some(_), Visuals::Ignore) | (_, None, _) | (Some(_), _, _) => false,
    };
    let pieces = children(node, if from_visuals { "visual" } else { "collision" });
    let collisions = pieces.map(|piece| collision(xml, file, &name, piece, options)).collect::<Result<_, _>>()?;
    Ok(Link { name, collisions, from_visuals, line: xml.line(node) })
}

fn collision<'t>(
    xml: &Xml<'t>,
    file: &Path,
    link: &str,
    node: Node<'_, 't>,
    options: &Options,
) -> Result<Collision, InputError> {
    let geometry = xml.needed_child(node, "geometry")?;
    let mut shapes = geometry.children().filter(Node::is_element);
    let (Some(shape), None) = (shapes.next(), shapes.next()) else {
        let count = geometry.children().filter(Node::is_element).count();
        return Err(xml.error(geometry, format!("link `{link}`: expected one shape in <geometry>, found {count}")));
    };
    // Elements may stand in either order.
    Ok(Collision {
        origin: origin(xml, node)?,
        geometry: read_shape(xml, file, link, shape, options)?,
        line: xml.line(node),
    })
}

fn read_shape<'t>(
    xml: &Xml<'t>,
    file: &Path,
    link: &str,
    shape: Node<'_, 't>,
    options: &Options,
) -> Result<Geometry, InputError> {
    let positive = |name: &str| match xml.number(shape, name)? {
        Some(x) if x > 0.0 => Ok(x),
        found => {
            let found = found.map_or("none".to_owned(), |x| x.to_string());
            let tag = shape.tag_name().name();
            Err(xml.error(shape, format!("link `{link}`: expected a positive {name} of the <{tag}>, found {found}")))
        }
    };
    Ok(match shape.tag_name().name() {
        "mesh" => {
            let name = xml.attribute(shape, "filename")?;
            let found = options.packages.find(file, name);
            let file = found.map_err(|what| xml.error(shape, format!("link `{link}`: {what}")))?;
            let scale = xml.numbers(shape, "scale")?.unwrap_or([1.0; 3]);
            if scale.contains(&0.0) {
                let text = shape.attribute("scale").unwrap_or_default();
                return Err(xml.error(shape, format!("link `{link}`: expected a scale without zeros, found `{text}`")));
            }
            Geometry::Mesh { file, scale }
        }
        "box" => {
            let size = xml.numbers(shape, "size")?;
            match size.filter(|size: &[f64; 3]| size.iter().all(|x| *x > 0.0)) {
                Some(size) => Geometry::Box { size },
                None => {
                    let found = shape.attribute("size").map_or("none".to_owned(), |text| format!("`{text}`"));
                    let what = format!("link `{link}`: expected a <box> with three positive sizes, found {found}");
                    return Err(xml.error(shape, what));
                }
            }
        }
        "cylinder" => Geometry::Cylinder { radius: positive("radius")?, length: positive("length")? },
        "capsule" => Geometry::Capsule { radius: positive("radius")?, length: positive("length")? },
        "sphere" => Geometry::Sphere { radius: positive("radius")? },
        other => {
            let what = format!(
                "link `{link}`: expected a mesh, box, cylinder, capsule or sphere, found <{other}>: it would be \
                 missing from the shape"
            );
            return Err(xml.error(shape, what));
        }
    })
}
