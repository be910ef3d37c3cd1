//! PLY, ASCII and binary, by `ply-rs-bw`.

use super::Shape;
use super::lines::excerpt;
use crate::convert::Numbers;
use crate::error::InputError;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};
use std::path::Path;

const AXES: [&str; 3] = ["x", "y", "z"];
/// Both names are in use.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Shape, InputError> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Other>::new().read_header(&mut reader).map_err(|e| explain(file, bytes, true, &e))?;
    let is_text = header.encoding == Encoding::Ascii;
    check(file, &header)?;
    let (mut vertices, mut faces, mut first_face) = (Vec::new(), Vec::new(), None);
    for (name, element) in &header.elements {
        if name == "face" {
            // Text has one element a line.
            first_face = is_text.then(|| reader.line());
        }
        let read = match name.as_str() {
            "vertex" => {
                Parser::<Vertex>::new().read_payload_for_element(&mut reader, element, &header).map(|v| vertices = v)
            }
            "face" => Parser::<Face>::new().read_payload_for_element(&mut reader, element, &header).map(|f| faces = f),
            _ => Parser::<Other>::new().read_payload_for_element(&mut reader, element, &header).map(drop),
        };
        read.map_err(|e| explain(file, bytes, is_text, &e))?;
    }
    // A header that names an element twice, or a wrong count, leaves something over.
    let rest = reader.into_inner().trim_ascii_start();
    if !rest.is_empty() {
        let before = bytes.get(..bytes.len() - rest.len()).unwrap_or_default();
        let line = is_text.then(|| 1 + before.iter().filter(|b| **b == b'\n').count());
        let what = format!("expected the end of the file after the elements of the header, found {} bytes", rest.len());
        return Err(InputError::at(file, line, what));
    }
    let numbers = numbers(&header);
    let points: Vec<_> = vertices.iter().map(|v: &Vertex| v.0).collect();
    let mut triangles = Vec::with_capacity(faces.len());
    for (i, Face(corners)) in faces.iter().enumerate() {
        let exists = |c: &u32| (*c as usize) < points.len();
        let Some(corners) = corners.as_ref().filter(|corners| !corners.is_empty() && corners.iter().all(exists)) else {
            let what = format!("expected face {i} to have vertex numbers from 0 to {}", points.len().saturating_sub(1));
            return Err(InputError::at(file, first_face.map(|line| line + i), what));
        };
        match *corners.as_slice() {
            [a] => triangles.push([a; 3]),
            [a, b] => triangles.push([a, b, b]),
            [a, ref rest @ ..] => triangles.extend(rest.windows(2).filter_map(|w| Some([a, *w.first()?, *w.last()?]))),
            [] => {}
        }
    }
    Ok(Shape { points, triangles, numbers, is_text })
}

/// Refuses a header without the elements that are needed, and one with a shape that is not read.
fn check(file: &Path, header: &Header) -> Result<(), InputError> {
    let has = |element: &ElementDef, name: &str, list: bool| {
        element.properties.get(name).is_some_and(|p| matches!(p.data_type, PropertyType::List(..)) == list)
    };
    let refuse = |what: String| Err(InputError::new(file, what));
    if !header.elements.get("vertex").is_some_and(|e| AXES.iter().all(|axis| has(e, axis, false))) {
        return refuse("expected a header with the element `vertex` with numbers x, y and z".to_owned());
    }
    if !header.elements.get("face").is_some_and(|e| CORNERS.iter().any(|name| has(e, name, true))) {
        return refuse(format!("expected a header with the element `face` with a list `{}`", CORNERS.join("` or `")));
    }
    for (name, element) in &header.elements {
        // Strips of triangles and edges refer to vertices.
        let refers = element.properties.keys().any(|property| property.starts_with("vertex"));
        if name != "vertex" && name != "face" && refers && element.count > 0 {
            return refuse(format!(
                "expected the elements vertex and face, found `{name}`: it would be missing from the shape"
            ));
        }
    }
    Ok(())
}

/// How the coordinates may have been rounded.
fn numbers(header: &Header) -> Numbers {
    if header.encoding != Encoding::Ascii {
        return Numbers::Exact;
    }
    let of_axis = |axis: &str| match header.elements.get("vertex")?.properties.get(axis)?.data_type {
        PropertyType::Scalar(ScalarType::Float) => Some(Numbers::Single),
        PropertyType::Scalar(ScalarType::Double) => Some(Numbers::Double),
        PropertyType::Scalar(_) | PropertyType::List(..) => None,
    };
    let found = AXES.map(of_axis);
    // The coarsest counts.
    let coarse = [Numbers::Single, Numbers::Double].into_iter().find(|numbers| found.contains(&Some(*numbers)));
    coarse.unwrap_or(Numbers::Exact)
}

/// What the parser did not like, and where. Its own messages span several lines and repeat the text.
fn explain(file: &Path, bytes: &[u8], is_text: bool, error: &ParseError) -> InputError {
    let message = error.to_string();
    let first = message.lines().next().unwrap_or_default();
    let first = first.split_once(": ").filter(|_| first.starts_with("Line ")).map_or(first, |(_, rest)| rest);
    let first = first.trim_end_matches('.');
    match error.line().filter(|_| is_text) {
        Some(line) => {
            InputError::at(file, line, format!("cannot read the PLY file: {first}; found {}", excerpt(bytes, line)))
        }
        None => InputError::new(file, format!("cannot read the PLY file: {first}")),
    }
}

/// A point; NaN, which is refused later, where a coordinate is not a number.
struct Vertex([f64; 3]);

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self([f64::NAN; 3])
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let slot = AXES.iter().zip(&mut self.0).find(|(axis, _)| **axis == name);
        let Some((_, slot)) = slot else { return PropertyAccessResult::Ignored };
        *slot = match property {
            Property::Char(x) => x.into(),
            Property::UChar(x) => x.into(),
            Property::Short(x) => x.into(),
            Property::UShort(x) => x.into(),
            Property::Int(x) => x.into(),
            Property::UInt(x) => x.into(),
            Property::Float(x) => x.into(),
            Property::Double(x) => x,
            Property::ListChar(_)
            | Property::ListUChar(_)
            | Property::ListShort(_)
            | Property::ListUShort(_)
            | Property::ListInt(_)
            | Property::ListUInt(_)
            | Property::ListFloat(_)
            | Property::ListDouble(_) => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

/// The corners of a polygon; `None` if they are not numbers of vertices.
struct Face(Option<Vec<u32>>);

impl PropertyAccess for Face {
    fn new() -> Self {
        Self(None)
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !CORNERS.contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        self.0 = property.to_u32_list();
        PropertyAccessResult::Set
    }
}

/// An element that is passed over.
struct Other;

impl PropertyAccess for Other {
    fn new() -> Self {
        Self
    }
}
