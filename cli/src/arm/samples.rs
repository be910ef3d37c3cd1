//! Small robots and worlds for the tests of this folder.

use crate::robot::{Options, Packages, RobotDescription, Visuals};
use crate::world::World;
use std::fs;
use std::path::{Path, PathBuf};

/// A block over [0, 2]², one high, whose top has a notch along y: closed, and not convex.
pub(super) const NOTCHED: &str = "\
v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 0.5\nv 0 0 1\nv 0 2 0\nv 2 2 0\nv 2 2 1\nv 1 2 0.5\nv 0 2 1\n\
f 1 2 4\nf 2 3 4\nf 1 4 5\nf 6 9 7\nf 7 9 8\nf 6 10 9\n\
f 1 6 2\nf 2 6 7\nf 2 7 3\nf 3 7 8\nf 3 8 4\nf 4 8 9\nf 4 9 5\nf 5 9 10\nf 5 10 1\nf 1 10 6\n";

/// A folder of its own for each test, gone with it.
pub(super) struct Sample(PathBuf);

impl Sample {
    pub(super) fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("avert-arm-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, text).unwrap();
        file
    }

    /// The robot with these links and joints.
    pub(super) fn robot(&self, inside: &str) -> RobotDescription {
        let file = self.write("robot.urdf", &format!("<robot name=\"r\">\n{inside}</robot>\n"));
        RobotDescription::read(&file, &Options::default()).unwrap()
    }

    pub(super) fn world(&self, json: &str) -> World {
        World::read(&self.write("world.json", json)).unwrap()
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn link(name: &str, pieces: &[&str]) -> String {
    let pieces = pieces.iter().map(|piece| format!("<collision>{piece}</collision>")).collect::<String>();
    format!("<link name=\"{name}\">{pieces}</link>\n")
}

pub(super) fn joint(name: &str, kind: &str, ends: [&str; 2], inside: &str) -> String {
    let [parent, child] = ends;
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>\n"
    )
}

/// The folder with the shared models, or a word about its absence.
pub(super) fn shared_models(what: &str) -> Option<PathBuf> {
    let models = avert_host_tests::shared().map(|folder| folder.join("models"));
    let models = models.filter(|models| models.join("panda_task/panda.urdf").is_file());
    if models.is_none() {
        avert_host_tests::skip(what, "no folder `shared` beside the clone");
    }
    models
}

pub(super) fn panda(models: &Path, urdf: &str) -> RobotDescription {
    let folder = models.join("panda");
    let package = format!("example-robot-data/robots/panda_description={}", folder.display()).parse().unwrap();
    let options = Options { packages: Packages(vec![package]), visuals: Visuals::Refuse };
    RobotDescription::read(&models.join(urdf), &options).unwrap()
}
