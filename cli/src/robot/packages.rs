//! The files behind the names of meshes.

use std::path::{Path, PathBuf};

/// `NAME=DIR` of the command line. The name may go on with folders (`NAME/robots/arm=DIR`), for a package of which only
/// a part is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    name: String,
    folder: PathBuf,
}

impl std::str::FromStr for Package {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
                let name = name.trim_end_matches('/').to_owned();
                if !Path::new(folder).is_dir() {
                    return Err(format!("expected a folder after `{name}=`, found `{folder}`, which is none"));
                }
                Ok(Self { name, folder: folder.into() })
            }
            Some(_) | None => Err("expected NAME=DIR".to_owned()),
        }
    }
}

/// Where packages are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packages(pub(crate) Vec<Package>);

impl Packages {
    /// The file that a name in a URDF file means, or what is wrong with the name.
    pub(super) fn find(&self, urdf: &Path, name: &str) -> Result<PathBuf, String> {
        let file = match name.split_once("://") {
            None => urdf.parent().unwrap_or(Path::new("")).join(name),
            Some(("file", path)) => PathBuf::from(path),
            // Some write a third slash.
            Some(("package", path)) => self.in_package(urdf, path.trim_start_matches('/'))?,
            Some((scheme, _)) => {
                let expected = "expected a mesh by package://NAME/…, file:///… or relative to the URDF file";
                return Err(format!("{expected}, found `{scheme}://` in `{name}`"));
            }
        };
        if file.is_file() {
            return Ok(file);
        }
        Err(format!("expected a mesh file for `{name}`, found nothing at {}", file.display()))
    }

    fn in_package(&self, urdf: &Path, path: &str) -> Result<PathBuf, String> {
        let inside = |package: &Package| path.strip_prefix(&package.name)?.strip_prefix('/').map(str::to_owned);
        let given = self.0.iter().filter_map(|package| Some((package, inside(package)?)));
        // Of several, the one that says most.
        if let Some((package, rest)) = given.max_by_key(|(package, _)| package.name.len()) {
            return Ok(package.folder.join(rest));
        }
        let (name, rest) = path.split_once('/').unwrap_or((path, ""));
        let urdf = urdf.canonicalize().unwrap_or_else(|_| urdf.to_owned());
        let folder = urdf.ancestors().skip(1).filter(|_| !name.is_empty()).find_map(|folder| {
            let beside = folder.join(name);
            if folder.ends_with(name) { Some(folder.to_owned()) } else { beside.is_dir().then_some(beside) }
        });
        folder.map(|folder| folder.join(rest)).ok_or_else(|| {
            format!(
                "expected to find the package `{name}` for `package://{path}`, found no folder of that name above or \
                 beside the URDF file: say --package {name}=DIR"
            )
        })
    }
}
