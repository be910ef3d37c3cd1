//! Compiles what stands before FCL, if the feature `fcl` asks for it.

fn main() {
    println!("cargo::rerun-if-changed=src/peers/fcl.cpp");
    #[cfg(feature = "fcl")]
    fcl();
}

#[cfg(feature = "fcl")]
fn fcl() {
    let fcl = pkg_config::Config::new().atleast_version("0.7").probe("fcl").unwrap_or_else(|error| {
        panic!("the feature `fcl` needs FCL 0.7, pkg-config and a C++ compiler: `sudo apt-get install libfcl-dev pkg-config g++`\n{error}")
    });
    // Optimised in every profile, since it is timed; for the plain machine, since the layout of Eigen's types depends on
    // the instruction set and the library is compiled so.
    cc::Build::new()
        .cpp(true)
        .std("c++14")
        .opt_level(2)
        .define("NDEBUG", None)
        .includes(&fcl.include_paths)
        // What the headers of others warn of is not ours to mend.
        .warnings(false)
        .file("src/peers/fcl.cpp")
        .compile("avert_fcl");
}
