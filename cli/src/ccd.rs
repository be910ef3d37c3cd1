//! The run: files in, verdicts out.

use crate::convert::{exact_decimal, limits};
use crate::error::{Failure, InputError, out_of_range};
use crate::mesh::UpAxis;
use crate::motions::Motions;
pub(crate) use crate::output::is_same_file;
use crate::output::{Output, refuse_to_overwrite, runs, spinner};
use crate::summary::{Answer, RIGID, Tally, verdict_name};
use crate::{Ccd, Strategy, bake};
use avert::hierarchy::{Blob, BlobError};
use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Entry, Hca, Limits, Memory, Model, Pose, RigidMotion, Scalar, Scene,
    SceneError, Stats, Verdict,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const OUTPUT_COLUMNS: [&str; 9] =
    ["id", "verdict", "free_until", "touch", "distance", "tri_a", "tri_b", "work", "micros"];

/// What a model borrows, and where it comes from.
struct Storage {
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Storage {
    fn read(file: &Path, up_axis: Option<UpAxis>) -> Result<Self, InputError> {
        Ok(Self { file: file.to_owned(), bytes: bake::read(file, up_axis)? })
    }

    fn model<S: Scalar>(&self) -> Result<Model<'_, S>, InputError> {
        let refuse = |e: BlobError| InputError::new(&self.file, format!("expected a model that can be proved: {e}"));
        let blob = Blob::parse(&self.bytes).map_err(refuse)?;
        blob.model(&mut vec![0; blob.scratch_needed()]).map_err(refuse)
    }
}

/// Reads, checks, writes. Nothing is written before all input has been found good.
pub(crate) fn run<S: Scalar>(request: &Ccd) -> Result<(), Failure> {
    let inputs = [("--a", &*request.a), ("--b", &request.b), ("--motions", &request.motions)];
    refuse_to_overwrite(request.out.as_deref(), inputs)?;
    let motions = Motions::read(&request.motions)?;
    let rigid = motions.rigid::<S>(request.motion)?;
    let limits = limits::<S>(request.margin, request.tolerance);
    let stands = RigidMotion::still(Pose::IDENTITY).map_err(|e| Failure::Internal(e.to_string()))?;

    let waiting = spinner("reading and building");
    let same = is_same_file(&request.a, &request.b);
    let start = Instant::now();
    let storage_a = Storage::read(&request.a, request.up_axis)?;
    let storage_b = if same { None } else { Some(Storage::read(&request.b, request.up_axis)?) };
    waiting.set_message("proving hierarchies");
    let model_a = storage_a.model()?;
    let model_b = storage_b.as_ref().map(Storage::model).transpose()?;
    let built = start.elapsed();
    waiting.finish_and_clear();
    let models = [&model_a, model_b.as_ref().unwrap_or(&model_a)];
    // The limits are refused before the output file is touched.
    Scene::new(Body { model: models[0], motion: stands }, Body { model: models[1], motion: stands }, limits).map_err(
        |error| {
            let (option, found) = match error {
                SceneError::Margin => ("--margin", request.margin),
                SceneError::Tolerance => ("--tolerance", request.tolerance),
            };
            out_of_range::<S>(option, found, "metres", request.scalar)
        },
    )?;

    let mut entries: Vec<_> = (0..Memory::<S>::RECOMMENDED).map(|_| Entry::VACANT).collect();
    let memory = Memory::new(&mut entries);
    let mut query = Query { models, stands, limits, memory, strategy: request.strategy, repeat: request.repeat };
    let mut output = Output::open(request.out.as_deref(), OUTPUT_COLUMNS)?;
    let mut tally = Tally::default();
    let bar = output.progress_bar(rigid.len(), "motions");
    for (row, motion) in &rigid {
        let (verdict, answer) =
            query.run(*motion).map_err(|what| Failure::Internal(format!("motion {}: {what}", row.id)))?;
        output.row(&fields(&row.id, &verdict, &answer))?;
        tally.add(verdict_name(&verdict), answer);
        bar.inc(1);
    }
    bar.finish_and_clear();
    output.finish(&(heading(request, models, same, built, rigid.len()) + &tally.table(&RIGID)))
}

/// What all queries share.
struct Query<'a, 'w, S> {
    models: [&'a Model<'a, S>; 2],
    stands: RigidMotion<S>,
    limits: Limits<S>,
    memory: Memory<'w, S>,
    strategy: Strategy,
    repeat: u32,
}

impl<S: Scalar> Query<'_, '_, S> {
    /// The verdict on a motion, with the least time of all repetitions.
    fn run(&mut self, motion: RigidMotion<S>) -> Result<(Verdict<S>, Answer), String> {
        let (verdict, stats, mut least) = self.once(motion)?;
        for _ in 1..self.repeat {
            let again = self.once(motion)?;
            if (again.0, again.1) != (verdict, stats) {
                return Err("the same question was answered in two ways".to_owned());
            }
            least = least.min(again.2);
        }
        Ok((verdict, Answer { micros: least.as_secs_f64() * 1e6, stats }))
    }

    fn once(&mut self, motion: RigidMotion<S>) -> Result<(Verdict<S>, Stats, Duration), String> {
        let [a, b] = self.models;
        let start = Instant::now();
        let scene = Scene::new(Body { model: a, motion }, Body { model: b, motion: self.stands }, self.limits)
            .map_err(|e| e.to_string())?;
        let memory = &mut self.memory;
        let (verdict, stats) = match self.strategy {
            Strategy::Chord => finish(&scene, Chord::new(&scene, memory)),
            Strategy::Ca => finish(&scene, Ca::new(&scene, memory)),
            Strategy::C2a => finish(&scene, C2a::new(&scene, memory, Control::new(self.limits.tolerance))),
            Strategy::Hca => finish(&scene, Hca::new(&scene, memory)),
        };
        Ok((verdict, stats, start.elapsed()))
    }
}

fn finish<S: Scalar>(scene: &Scene<'_, S>, mut check: impl Check<S>) -> (Verdict<S>, Stats) {
    (check.step(scene, Budget::UNLIMITED), check.stats())
}

fn fields<S: Scalar>(id: &str, verdict: &Verdict<S>, answer: &Answer) -> [String; 9] {
    let exact = |x: S| exact_decimal(x.to_f64());
    let none = || String::new();
    let [free_until, touch, distance, tri_a, tri_b] = match verdict {
        Verdict::Free(_) => [exact(S::ONE), none(), none(), none(), none()],
        Verdict::Contact { free_until, touch, witness } => {
            let [a, b] = witness.primitives.map(|id| id.to_string());
            [exact(*free_until), exact(*touch), exact(witness.distance_hi), a, b]
        }
        Verdict::Undecided { free_until, .. } => [exact(*free_until), none(), none(), none(), none()],
    };
    let (work, micros) = (answer.stats.work.to_string(), format!("{:.3}", answer.micros));
    [id.to_owned(), verdict_name(verdict), free_until, touch, distance, tri_a, tri_b, work, micros]
}

/// What was checked, and how.
fn heading<S: Scalar>(
    request: &Ccd,
    models: [&Model<'_, S>; 2],
    same: bool,
    built: Duration,
    queries: usize,
) -> String {
    let [a, b] = models.map(|model| match (model.geometry().triangles(), model.geometry().hulls()) {
        (0, 1) => "convex".to_owned(),
        (triangles, _) => format!("{triangles} triangles"),
    });
    let (motion, strategy) = (request.motion.name(), request.strategy.name());
    let scalar = request.scalar.name();
    let runs = runs(request.repeat);
    let b = if same { "the same".to_owned() } else { format!("{} ({b})", request.b.display()) };
    format!(
        "A          {} ({a})\n\
         B          {b}\n\
         ready      in {:.1} ms\n\
         checked    {queries} motions ({motion}), strategy {strategy}, scalar {scalar}, margin {} m, tolerance {} m, {runs}\n\n",
        request.a.display(),
        built.as_secs_f64() * 1e3,
        request.margin,
        request.tolerance,
    )
}
