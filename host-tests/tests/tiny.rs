//! Everything there is, in a scalar of 8 bits.

use avert_host_tests::laws::{tiny, tiny_kernel};

macro_rules! exhaustive {
    ($($name:ident: $law:path;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            $law(1, 1)
        }
    )*};
}

exhaustive! {
    every_number: tiny::unary;
    every_pair_of_numbers: tiny::binary;
    every_vector: tiny::vectors;
    scalar_products: tiny::dots;
    every_interval: tiny::intervals;
    distances_from_rectangles: tiny_kernel::core_distances;
    separations_of_points: tiny_kernel::separations;
}
