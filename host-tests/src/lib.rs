//! Scenes, oracles and soundness suites for Avert.
