//! The `avert` command. This file holds the arguments and the exit codes; the work is in `bake`, `ccd`,
//! `check` and `inspect`.
//!
//! It is a library so that the project's fuzz targets and benches reach its `doors`; the binary only starts it.

mod arm;
mod assembly;
mod bake;
mod ccd;
mod check;
mod convert;
mod convex;
mod document;
#[doc(hidden)]
pub mod doors;
mod error;
mod geometry;
mod inspect;
mod mesh;
mod motions;
mod output;
mod paths;
mod placement;
mod robot;
mod summary;
mod table;
mod world;
mod xml;

use bake::Format;
use clap::{Args, Parser, Subcommand, ValueEnum};
use mesh::UpAxis;
use paths::Held;
use robot::{Package, Visuals};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Certified continuous collision detection.
#[derive(Debug, Parser)]
#[command(name = "avert", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check rigid motions of one mesh past another and prove each answer.
    #[command(long_about = CCD_ABOUT, after_help = EXAMPLE, after_long_help = CCD_MORE)]
    Ccd(Ccd),
    /// Turn a mesh or a robot into bytes that are used as they are, by this command and on a controller.
    #[command(long_about = BAKE_ABOUT, after_help = BAKE_EXAMPLE)]
    Bake(Bake),
    /// Check paths of a robot among obstacles and prove each answer.
    #[command(long_about = CHECK_ABOUT, after_help = CHECK_EXAMPLE, after_long_help = CHECK_MORE)]
    Check(Check),
    /// Print what is read of a robot, a world and paths, to see whether it is what was meant.
    #[command(after_help = INSPECT_EXAMPLE, after_long_help = INSPECT_MORE)]
    Inspect(Inspect),
}

const BAKE_ABOUT: &str = "\
Turn a mesh or a robot into bytes that are used as they are, by this command and on a controller.

A model holds a body on a grid of at least 2^-20 m, with its hierarchy, proved for every scalar: one file for f32, f64
and fixed point, read in place from flash. `avert ccd` takes it wherever it takes a mesh, with the same verdicts.
A convex mesh of up to 512 points becomes one hull.

A robot holds joints, limits, the pairs of links that may touch, the models of all links, and the world around it. What is not
checked is printed, pair by pair, with the reason.";

const BAKE_EXAMPLE: &str = "\
Examples:
  avert bake fixture.obj -o fixture.avert
  avert bake arm.urdf --srdf arm.srdf --package arm_description=../arm_description --world cell.json -o arm.avert";

#[derive(Debug, Args)]
struct Bake {
    /// The mesh (.obj, .stl, .ply, .dae; metres) or the robot (.urdf)
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Where to write (.avert, .rs, .h)
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// What to make of .dae meshes in which z does not point up; asked for by an error
    #[arg(long, value_enum)]
    up_axis: Option<UpAxis>,
    /// Pairs of links that may touch (.srdf); without it, links that one joint joins
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Where package://NAME/… is; NAME may go on with folders. May be said several times
    #[arg(long = "package", value_name = "NAME=DIR")]
    packages: Vec<Package>,
    /// What to do about a link that has visuals and no collision geometry
    #[arg(long, value_enum, default_value_t)]
    visuals: Visuals,
    /// What stands around the robot (.json, or one mesh)
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// Distance that must be kept unless it is said otherwise later, in metres [default: 0]
    #[arg(long, value_name = "METRES", value_parser = length)]
    margin: Option<f64>,
    /// How many payloads may be attached at the same time [default: 1]
    #[arg(long, value_name = "N")]
    payloads: Option<usize>,
}

const CCD_ABOUT: &str = "\
Check rigid motions of one mesh past another and prove each answer.

Mesh A goes from pose 0 to pose 1 with constant linear and angular velocity (shortest rotation) about its
origin, or on a screw (--motion), while t goes from 0 to 1; mesh B stands at the identity. All lengths are in metres. Closed
meshes are full inside: what starts wholly inside of one is in contact. Open meshes are surfaces.";

const EXAMPLE: &str = "\
Example: avert ccd --a gripper.stl --b fixture.obj --motions moves.csv --margin 0.002 --out verdicts.csv";

const CCD_MORE: &str = "\
MESHES
  OBJ, STL (ASCII or binary), PLY (ASCII or binary) or DAE, told apart by the extension. Polygons become fans of triangles.
  Of DAE, the scene with its placements, in the file's unit. Degenerate triangles are kept. A file with geometry that
  cannot be read (lines, points, curves) is refused.

MOTIONS
  CSV with exactly this header (unit quaternions w,x,y,z; positions in metres):
  id,q0w,q0x,q0y,q0z,p0x,p0y,p0z,q1w,q1x,q1y,q1z,p1x,p1y,p1z

OUTPUT
  CSV with one row a motion, in the same order, and a summary (on stdout with --out, else on stderr).
  id          as given
  verdict     free: for all t in [0, 1] the distance is greater than the margin
              contact: at `touch` the distance is at most margin + tolerance
              undecided:stack: more room is needed than this command has; nothing is proved beyond `free_until`
              undecided:precision: try a larger tolerance or --scalar f64; nothing is proved beyond `free_until`
  free_until  for all t in [0, free_until) the distance is greater than the margin; never rounded up
  touch       when the contact is (contact only)
  distance    proved upper bound of the distance at `touch`; never rounded down (contact only)
  tri_a,tri_b the triangles that are near, counted from 0 in file order (contact only; a polygon of n corners counts
              as n - 2 triangles; a convex mesh is one piece, 0)
  work        deterministic units of work
  micros      microseconds for the check alone, without reading files and building hierarchies; with --repeat
              the least

SUMMARY
  Counts, times, and means of what the search looked at: iterations (intervals of time; with ca and c2a traversals of the
  hierarchies, with hca steps of single pairs), front each (pairs proved apart, an iteration), node and triangle pairs.

EXIT CODES
  0  every motion was checked (whatever the verdicts)
  1  the output could not be written, or an internal error
  2  bad arguments or bad input; nothing was checked

EXAMPLE
  avert ccd --a gripper.stl --b fixture.obj --motions moves.csv --margin 0.002 --out verdicts.csv";

#[derive(Debug, Args)]
struct Ccd {
    /// Mesh or baked model that moves (.obj, .stl, .ply, .dae, .avert; metres)
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// Mesh or baked model that stands still (.obj, .stl, .ply, .dae, .avert; metres); may be the same file
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
    /// Motions of A (.csv; see MOTIONS in --help)
    #[arg(long, value_name = "FILE")]
    motions: PathBuf,
    /// How A goes from pose 0 to pose 1
    #[arg(long, value_enum, default_value_t = Way::Straight)]
    motion: Way,
    /// How the search is done; whatever it finds is proved
    #[arg(long, value_enum, default_value_t = Strategy::Chord)]
    strategy: Strategy,
    /// Machine number to calculate with; every rounding is accounted for in both
    #[arg(long, value_enum, default_value_t = Scalar::F32)]
    scalar: Scalar,
    /// Distance that must be kept, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length)]
    margin: f64,
    /// How far above the margin a distance may be and still be reported as contact, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.001, value_parser = length)]
    tolerance: f64,
    /// Run each motion this often; `micros` is the least of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Write the CSV to this file (replacing it) and the summary to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What to make of .dae meshes in which z does not point up; asked for by an error
    #[arg(long, value_enum)]
    up_axis: Option<UpAxis>,
}

const CHECK_ABOUT: &str = "\
Check paths of a robot among obstacles and prove each answer.

Every link is checked against every object that it moves against, and against every other link unless they may touch: because
the SRDF file says so, or, without one, because one joint joins them. All lengths are in metres, all angles in radians.";

const CHECK_EXAMPLE: &str = "\
Example: avert check arm.urdf --srdf arm.srdf --world cell.json --paths moves.csv --margin 0.005 --out verdicts.csv";

const CHECK_MORE: &str = "\
ROBOT, WORLD, PATHS
  As in `avert inspect --help`, which prints what is read of them. Joints that the paths do not have are held by --joint.
  Joints must keep to their limits, and a segment must start where the one before has ended.

OUTPUT
  CSV with one row a path, in the same order, and a summary (on stdout with --out, else on stderr).
  id          as given; of a trajectory, its number in the file, from 0
  verdict     free: during the whole path all pairs that are checked are further apart than the margin
              contact: at `touch` two bodies are no further apart than margin + tolerance
              undecided:stack: more room is needed than this command has; nothing is proved beyond `free_until`
              undecided:precision, range, inside or outside: try a larger tolerance (fix32 needs 1 mm or more) or --scalar f64; nothing is
              proved beyond `free_until`
  free_until  before this moment all pairs that are checked are further apart than the margin; never rounded up.
              A moment is k + u: segment k, counted from 0, at the part u of its time. A row of a CSV file is one segment, so its
              moments are from 0 to 1; a trajectory of n points ends at n - 1
  touch       when the contact is (contact only)
  name_a,name_b
              the links, or the link and the object, that are near (contact only)
  ax,ay,az    a point of the first that is near the second, about, in the frame of the robot's root link (contact only)
  bx,by,bz    a point of the second that is near the first, likewise
  nx,ny,nz    the direction from the first to the second, of length 1, or 0,0,0 if there is none
  work        deterministic units of work
  micros      microseconds to make the plan of a path and to check it, without reading files; with --repeat the least. Best
              measured with --threads 1

SUMMARY
  What was read, which pairs are checked, and which are not and why. Bodies that do not move against each other (the robot's foot
  and a table) are looked at once, and a warning says which are closer than the margin: they are no part of the verdicts. Then
  counts, times, and means of what the search looked at.

EXIT CODES
  0  every path is free
  1  every path was checked, and some are not free
  2  bad arguments or bad input; nothing was checked or written
  3  the output could not be written, or an internal error

EXAMPLE
  avert check arm.urdf --srdf arm.srdf --world cell.json --paths moves.csv --margin 0.005 --out verdicts.csv";

#[derive(Debug, Args)]
struct Check {
    /// Robot (.urdf), or baked with its world (.avert)
    #[arg(value_name = "ROBOT")]
    robot: PathBuf,
    /// Pairs of links that may touch (.srdf)
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Where package://NAME/… is; NAME may go on with folders. May be said several times
    #[arg(long = "package", value_name = "NAME=DIR")]
    packages: Vec<Package>,
    /// What to do about a link that has visuals and no collision geometry
    #[arg(long, value_enum, default_value_t)]
    visuals: Visuals,
    /// What to make of .dae meshes in which z does not point up; asked for by an error
    #[arg(long, value_enum)]
    up_axis: Option<UpAxis>,
    /// What stands around the robot (.json, or one mesh); a baked robot has it already
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// Motions of the robot (.csv, .yaml, .json)
    #[arg(long, value_name = "FILE")]
    paths: PathBuf,
    /// Value of a joint that the paths do not have, in radians or metres. May be said several times
    #[arg(long = "joint", value_name = "JOINT=VALUE")]
    joints: Vec<Held>,
    /// How the search is done; whatever it finds is proved
    #[arg(long, value_enum, default_value_t = PathStrategy::Chord)]
    strategy: PathStrategy,
    /// Machine number to calculate with; every rounding is accounted for in all
    #[arg(long, value_enum, default_value_t = Scalar::F32)]
    scalar: Scalar,
    /// Distance that must be kept, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length)]
    margin: f64,
    /// How far above the margin a distance may be and still be reported as contact, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0001, value_parser = length)]
    tolerance: f64,
    /// How far each joint may be from its path at any time: verdicts hold for all values that near, in radians or metres
    #[arg(long, value_name = "VALUE", default_value_t = 0.0, value_parser = joint_distance)]
    tracking: f64,
    /// Do not check links against links
    #[arg(long)]
    no_self: bool,
    /// How many paths to check at once; as many as there are cores unless given. Changes nothing about the rows but `micros`
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Keep search directions from path to path, as a planner would: `work`, and moments within the tolerance, then depend on the
    /// order of the paths and on --threads
    #[arg(long, conflicts_with = "repeat")]
    warm: bool,
    /// Run each path this often; `micros` is the least of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Write the CSV to this file (replacing it) and the summary to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const INSPECT_EXAMPLE: &str = "\
Example: avert inspect arm.urdf --srdf arm.srdf --package arm_description=../arm_description --world cell.json";

const INSPECT_MORE: &str = "\
ROBOT
  URDF, expanded from xacro. Joints: revolute, continuous, prismatic, fixed, mimic. Pieces: mesh, box, cylinder, capsule,
  sphere. A mesh is found by package://NAME/… (--package, or a folder NAME above or beside the URDF file), file:///…, or
  relative to the URDF file. SRDF: disable_collisions.

WORLD
  JSON with lists of boxes, spheres, capsules, cylinders, meshes and points (see docs/world.md), or one mesh file.

PATHS
  CSV with the columns id, q0_JOINT… and q1_JOINT… (JOINT is a name or an index): a row is a straight path in joint space.
  Other columns are passed over.
  YAML or JSON: trajectory_msgs/JointTrajectory as `ros2 topic echo --full-length` prints it, alone or in a
  moveit_msgs/RobotTrajectory. Between two points: linear; cubic if both have velocities; quintic if both have
  accelerations too.

EXIT CODES
  0  everything could be read
  1  the output could not be written
  2  bad arguments or bad input; nothing was printed

EXAMPLE
  avert inspect arm.urdf --srdf arm.srdf --package arm_description=../arm_description --world cell.json";

#[derive(Debug, Args)]
struct Inspect {
    /// Robot (.urdf, or baked: .avert)
    #[arg(value_name = "ROBOT")]
    robot: PathBuf,
    /// Pairs of links that may touch (.srdf)
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Where package://NAME/… is; NAME may go on with folders. May be said several times
    #[arg(long = "package", value_name = "NAME=DIR")]
    packages: Vec<Package>,
    /// What to do about a link that has visuals and no collision geometry
    #[arg(long, value_enum, default_value_t)]
    visuals: Visuals,
    /// What to make of .dae meshes in which z does not point up; asked for by an error
    #[arg(long, value_enum)]
    up_axis: Option<UpAxis>,
    /// What stands around the robot (.json, or one mesh)
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// Motions of the robot (.csv, .yaml, .json)
    #[arg(long, value_name = "FILE")]
    paths: Option<PathBuf>,
    /// Value of a joint that the paths do not have, in radians or metres. May be said several times
    #[arg(long = "joint", value_name = "JOINT=VALUE", requires = "paths")]
    joints: Vec<Held>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Its origin on a straight line, while it turns about that
    Straight,
    /// About an axis that is fixed in space, and along it
    Screw,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Straight => "straight",
            Self::Screw => "screw",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Strategy {
    /// Bisect time and hierarchies, earliest time first: the fastest
    Chord,
    /// Conservative advancement: the nearest triangles, as far as they allow, and again
    Ca,
    /// Controlled conservative advancement (Tang, Manocha and Kim 2014): the same, less thorough while far apart
    C2a,
    /// Hierarchical conservative advancement (the same authors): every pair of nodes by itself
    Hca,
}

impl Strategy {
    fn name(self) -> &'static str {
        match self {
            Self::Chord => "chord",
            Self::Ca => "ca",
            Self::C2a => "c2a",
            Self::Hca => "hca",
        }
    }
}

/// The strategies that know robots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PathStrategy {
    /// Bisect time and hierarchies, earliest time first
    Chord,
}

impl PathStrategy {
    fn name(self) -> &'static str {
        match self {
            Self::Chord => "chord",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scalar {
    /// Single precision
    F32,
    /// Double precision
    F64,
    /// Fixed point in 32 bits: multiples of 2⁻²⁰ m up to 512 m
    Fix32,
    /// Fixed point in 64 bits: multiples of 2⁻⁴⁰ m up to 1024 m
    Fix64,
}

impl Scalar {
    /// As on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Fix32 => "fix32",
            Self::Fix64 => "fix64",
        }
    }
}

/// A length on the command line.
fn length(text: &str) -> Result<f64, String> {
    not_negative(text, "metres")
}

/// A difference of joint values on the command line.
fn joint_distance(text: &str) -> Result<f64, String> {
    not_negative(text, "radians or metres")
}

fn not_negative(text: &str, unit: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        Ok(_) | Err(_) => Err(format!("expected a number of {unit}, finite and not negative")),
    }
}

/// The command, with the arguments of the process.
pub fn run() -> ExitCode {
    let command = Cli::parse().command;
    // What is not bad input; 1 says something else in `check`.
    let fault = if matches!(command, Command::Check(_)) { 3 } else { 1 };
    let succeeded = |()| ExitCode::SUCCESS;
    let done = match command {
        Command::Bake(request) => bake::run(&request).map(succeeded),
        Command::Ccd(request) => match request.scalar {
            Scalar::F32 => ccd::run::<f32>(&request),
            Scalar::F64 => ccd::run::<f64>(&request),
            Scalar::Fix32 => ccd::run::<avert::Fix32>(&request),
            Scalar::Fix64 => ccd::run::<avert::Fix64>(&request),
        }
        .map(succeeded),
        Command::Check(request) => match request.scalar {
            Scalar::F32 => check::run::<f32>(&request),
            Scalar::F64 => check::run::<f64>(&request),
            Scalar::Fix32 => check::run::<avert::Fix32>(&request),
            Scalar::Fix64 => check::run::<avert::Fix64>(&request),
        },
        Command::Inspect(request) => inspect::run(&request).map(succeeded),
    };
    done.unwrap_or_else(|failure| {
        if !failure.is_closed_pipe() {
            eprintln!("error: {failure}");
        }
        failure.exit_code(fault)
    })
}
