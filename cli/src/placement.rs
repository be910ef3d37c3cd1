//! Where things are, in plain `f64`: to describe and to print, never to prove.

/// A position and a rotation as URDF writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Placement {
    /// In metres.
    pub(crate) xyz: [f64; 3],
    /// Roll, pitch and yaw in radians: the rotation is Rz(yaw)·Ry(pitch)·Rx(roll).
    pub(crate) rpy: [f64; 3],
}

impl Placement {
    pub(crate) fn frame(&self) -> Frame {
        let [roll, pitch, yaw] = self.rpy;
        let turned = Frame::turn([0.0, 0.0, 1.0], yaw)
            .then(&Frame::turn([0.0, 1.0, 0.0], pitch))
            .then(&Frame::turn([1.0, 0.0, 0.0], roll));
        Frame { position: self.xyz, ..turned }
    }
}

/// The same as a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Rows.
    pub rotation: [[f64; 3]; 3],
    pub position: [f64; 3],
}

impl Frame {
    pub(crate) const IDENTITY: Self =
        Self { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], position: [0.0; 3] };

    /// A rotation about an axis of length 1 through the origin.
    pub(crate) fn turn(axis: [f64; 3], angle: f64) -> Self {
        Self { rotation: rotation(axis, angle), position: [0.0; 3] }
    }

    /// A frame that is given in this one, in this one's parent.
    pub(crate) fn then(&self, inner: &Self) -> Self {
        let column = |j: usize| inner.rotation.map(|row| row.get(j).copied().unwrap_or(f64::NAN));
        let columns = [column(0), column(1), column(2)];
        Self {
            rotation: self.rotation.map(|row| columns.map(|column| dot(row, column))),
            position: self.apply(inner.position),
        }
    }

    /// A point that is given in this frame, in this one's parent.
    pub(crate) fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.rotation.map(|row| dot(row, point));
        let [a, b, c] = self.position;
        [x + a, y + b, z + c]
    }
}

fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

/// Rodrigues' formula.
fn rotation([x, y, z]: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let d = 1.0 - c;
    [
        [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
        [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
        [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roll_comes_first_and_yaw_last() {
        let quarter = std::f64::consts::FRAC_PI_2;
        // Rolled: (0, 1, 0) to (0, 0, 1); pitched: to (1, 0, 0); yawed: to (0, 1, 0).
        let frame = Placement { xyz: [1.0, 2.0, 3.0], rpy: [quarter; 3] }.frame();
        let [x, y, z] = frame.apply([0.0, 1.0, 0.0]);
        assert!((x - 1.0).abs() + (y - 3.0).abs() + (z - 3.0).abs() < 1e-15, "{x} {y} {z}");
    }
}
