//! The `avert` command. This file holds the arguments and the exit codes; the work is in [`ccd`].

mod ccd;
mod convert;
mod error;
mod mesh;
mod motions;
mod summary;

use clap::{Args, Parser, Subcommand, ValueEnum};
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
}

const CCD_ABOUT: &str = "\
Check rigid motions of one mesh past another and prove each answer.

Mesh A goes from pose 0 to pose 1 with constant linear and angular velocity (shortest rotation) about its
origin, while t goes from 0 to 1; mesh B stands at the identity. All lengths are in metres. Surfaces are
checked, not volumes: a mesh that is wholly inside another without touching it is free.";

const EXAMPLE: &str = "\
Example: avert ccd --a gripper.stl --b fixture.obj --motions moves.csv --margin 0.002 --out verdicts.csv";

const CCD_MORE: &str = "\
MESHES
  OBJ, STL (ASCII or binary) or PLY (ASCII or binary), told apart by the extension. Polygons become fans of triangles.
  Degenerate triangles are kept. A file with geometry that cannot be read (lines, points, curves) is refused.

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
              as n - 2 triangles)
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
    /// Mesh that moves (.obj, .stl, .ply; metres)
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// Mesh that stands still (.obj, .stl, .ply; metres); may be the same file
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
    /// Motions of A (.csv; see MOTIONS in --help)
    #[arg(long, value_name = "FILE")]
    motions: PathBuf,
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
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        Ok(_) | Err(_) => Err("expected a number of metres, finite and not negative".to_owned()),
    }
}

fn main() -> ExitCode {
    let Cli { command: Command::Ccd(request) } = Cli::parse();
    let done = match request.scalar {
        Scalar::F32 => ccd::run::<f32>(&request),
        Scalar::F64 => ccd::run::<f64>(&request),
        Scalar::Fix32 => ccd::run::<avert::Fix32>(&request),
        Scalar::Fix64 => ccd::run::<avert::Fix64>(&request),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.is_closed_pipe() {
                eprintln!("error: {failure}");
            }
            failure.exit_code()
        }
    }
}
