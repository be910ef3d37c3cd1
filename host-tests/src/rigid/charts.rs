//! Line and bar charts as SVG, with a legend to the right and logarithmic scales.

use super::table::digits;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Canvas<'a, 'b> = ChartContext<'b, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

/// Curves over a common axis, on a logarithmic scale.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) curves: Vec<Curve>,
}

/// A name and its points.
pub(super) type Curve = (String, Vec<(f64, f64)>);

/// Groups of bars on a logarithmic scale.
#[derive(Clone, Debug)]
pub(super) struct Bars {
    pub(super) y: String,
    pub(super) groups: Vec<String>,
    /// A name, and a height for each group; NaN for no bar.
    pub(super) kinds: Vec<(String, Vec<f64>)>,
}

const LINES: (u32, u32) = (1000, 300);
const BARS_HEIGHT: u32 = 380;
/// Room for the name of a group.
const GROUP: u32 = 190;
const TITLE_HEIGHT: u32 = 44;
/// Room for the legend's names.
const LEGEND: u32 = 230;
const FONT: &str = "sans-serif";
const SIZE: u32 = 15;

/// Colours that most eyes can tell apart (Okabe and Ito 2008), then darker ones.
const COLOURS: [RGBColor; 16] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
    RGBColor(150, 140, 20),
    RGBColor(0, 60, 100),
    RGBColor(120, 50, 0),
    RGBColor(0, 90, 60),
    RGBColor(110, 40, 80),
    RGBColor(130, 90, 0),
    RGBColor(20, 90, 130),
    RGBColor(0, 0, 0),
    RGBColor(170, 170, 170),
];

fn colour(i: usize) -> RGBColor {
    COLOURS[i % COLOURS.len()]
}

/// Draws line charts below each other.
pub(super) fn lines(file: &Path, title: &str, panels: &[Lines]) -> Result<(), String> {
    page(
        file,
        title,
        LINES,
        panels,
        |area, panel| {
            let points = || panel.curves.iter().flat_map(|(_, points)| points.iter().copied());
            let (low, high) = bounds(points().map(|p| p.0));
            let y = logarithmic(points().map(|p| p.1));
            let x = Axis { range: low..high.max(low + 1e-9), ticks: even(low, high) };
            let mut chart = canvas(area, x, y)?;
            let mut mesh = chart.configure_mesh();
            mesh.x_desc(panel.x.as_str()).y_desc(panel.y.as_str()).x_label_formatter(&|x| plain(*x));
            mesh.y_label_formatter(&|y| power(*y)).label_style((FONT, SIZE)).axis_desc_style((FONT, SIZE));
            mesh.light_line_style(TRANSPARENT).draw().map_err(|e| e.to_string())?;
            for (i, (_, points)) in panel.curves.iter().enumerate() {
                let points = points.iter().map(|(x, y)| (*x, y.log10())).filter(|p| p.1.is_finite());
                chart.draw_series(LineSeries::new(points, colour(i).stroke_width(2))).map_err(|e| e.to_string())?;
            }
            Ok(())
        },
        |panel| panel.curves.iter().map(|curve| curve.0.clone()).collect(),
    )
}

/// Draws bar charts below each other.
pub(super) fn bars(file: &Path, title: &str, panels: &[Bars]) -> Result<(), String> {
    let groups = panels.iter().map(|panel| panel.groups.len() as u32).max().unwrap_or(0);
    let width = LEGEND + 104 + GROUP * groups.max(3);
    page(
        file,
        title,
        (width, BARS_HEIGHT),
        panels,
        |area, panel| {
            let values = panel.kinds.iter().flat_map(|(_, values)| values.iter().copied());
            let y = logarithmic(values);
            let floor = y.range.start;
            let centres = (0..panel.groups.len()).map(|i| i as f64 + 0.5).collect();
            let x = Axis { range: 0.0..panel.groups.len() as f64, ticks: centres };
            let mut chart = canvas(area, x, y)?;
            let group = |x: &f64| panel.groups.get(*x as usize).cloned().unwrap_or_default();
            let mut mesh = chart.configure_mesh();
            mesh.disable_x_mesh().y_desc(panel.y.as_str()).x_label_formatter(&group);
            mesh.y_label_formatter(&|y| power(*y)).label_style((FONT, SIZE)).axis_desc_style((FONT, SIZE));
            mesh.light_line_style(TRANSPARENT).draw().map_err(|e| e.to_string())?;
            let width = 0.84 / panel.kinds.len() as f64;
            for (i, (_, values)) in panel.kinds.iter().enumerate() {
                let bar = |(group, value): (usize, &f64)| {
                    let left = group as f64 + 0.08 + i as f64 * width;
                    Rectangle::new([(left, floor), (left + 0.92 * width, value.log10())], colour(i).filled())
                };
                let bars = values.iter().enumerate().filter(|(_, value)| value.log10().is_finite()).map(bar);
                chart.draw_series(bars).map_err(|e| e.to_string())?;
            }
            Ok(())
        },
        |panel| panel.kinds.iter().map(|kind| kind.0.clone()).collect(),
    )
}

/// A title, panels below each other, and to the right of each the names that it uses.
fn page<P>(
    file: &Path,
    title: &str,
    (width, height): (u32, u32),
    panels: &[P],
    draw: impl Fn(&Area<'_>, &P) -> Result<(), String>,
    names: impl Fn(&P) -> Vec<String>,
) -> Result<(), String> {
    let drawn = || -> Result<(), String> {
        let all = SVGBackend::new(file, (width, TITLE_HEIGHT + height * panels.len() as u32)).into_drawing_area();
        all.fill(&WHITE).map_err(|e| e.to_string())?;
        let (head, body) = all.split_vertically(TITLE_HEIGHT);
        write(&head, title, (12, 12), SIZE + 4)?;
        for (area, panel) in body.split_evenly((panels.len(), 1)).iter().zip(panels) {
            let (chart, legend) = area.split_horizontally(width - LEGEND);
            draw(&chart, panel)?;
            for (i, name) in names(panel).iter().enumerate() {
                let y = 22 + 22 * i as i32;
                let swatch = Rectangle::new([(4, y), (24, y + 10)], colour(i).filled());
                legend.draw(&swatch).map_err(|e| e.to_string())?;
                write(&legend, name, (32, y - 2), SIZE)?;
            }
        }
        all.present().map_err(|e| e.to_string())
    };
    drawn().map_err(|e| format!("{}: {e}", file.display()))
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: u32) -> Result<(), String> {
    area.draw(&Text::new(text.to_owned(), at, (FONT, size).into_font())).map_err(|e| e.to_string())
}

/// A linear axis with ticks where we want them.
#[derive(Clone, Debug)]
struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        from + (part * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

fn canvas<'a, 'b>(area: &'b Area<'a>, x: Axis, y: Axis) -> Result<Canvas<'a, 'b>, String> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(10).x_label_area_size(48).y_label_area_size(84);
    builder.build_cartesian_2d(x, y).map_err(|e| e.to_string())
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The range of the values' logarithms, to the next ticks, and those: all powers of ten and, if they are few, round numbers
/// between them.
fn logarithmic(values: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = bounds(values.map(f64::log10));
    let decades = (low.floor() as i32)..=(high.ceil() as i32);
    let steps: &[f64] = match high - low {
        few if few < 0.7 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        some if some < 3.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let ticks = decades.flat_map(|d| steps.iter().map(move |s| s.log10() + f64::from(d)));
    let ticks: Vec<f64> = ticks.collect();
    let start = ticks.iter().copied().filter(|t| *t < low - 0.02).fold(f64::NEG_INFINITY, f64::max);
    let end = ticks.iter().copied().filter(|t| *t > high).fold(f64::INFINITY, f64::min);
    let start = if start.is_finite() { start } else { low - 0.3 };
    let end = if end.is_finite() { end } else { high + 0.3 };
    Axis { range: start..end, ticks: ticks.into_iter().filter(|t| (start..=end).contains(t)).collect() }
}

/// Ticks at round numbers, about ten.
fn even(low: f64, high: f64) -> Vec<f64> {
    let rough = ((high - low) / 10.0).max(1e-9);
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|s| *s >= 0.999 * rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|x| *x <= high + 1e-9 * step).collect()
}

/// A power of ten without needless digits.
fn power(exponent: f64) -> String {
    plain(10.0_f64.powf(exponent))
}

/// A round number.
fn plain(x: f64) -> String {
    let text = digits(x);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        let Axis { range, ticks } = logarithmic([3.0, 40.0].into_iter());
        let ticks: Vec<String> = ticks.into_iter().map(power).collect();
        assert_eq!(ticks, ["2", "5", "10", "20", "50"]);
        assert!(range.contains(&3.0_f64.log10()) && range.contains(&40.0_f64.log10()));
        assert_eq!(even(0.1, 1.0).into_iter().map(plain).collect::<Vec<_>>()[..3], ["0.1", "0.2", "0.3"]);
        assert_eq!(even(0.0, 199.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0, 160.0, 180.0]);
    }

    #[test]
    fn nothing_to_draw_is_drawn() {
        assert!(!logarithmic([f64::NAN, 0.0].into_iter()).ticks.is_empty());
    }
}
