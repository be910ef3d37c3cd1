// FCL behind plain functions. No exception leaves them.

#include <fcl/fcl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace {

// Swept spheres serve distances and advancement; overlap tests by sampling need boxes (OBBRSS has both) to be fast.
using Spheres = fcl::BVHModel<fcl::RSS<double>>;
using Boxes = fcl::BVHModel<fcl::OBBRSS<double>>;

struct Mesh {
    const double* points;
    std::size_t point_count;
    const std::uint32_t* triangles;
    std::size_t triangle_count;
};

struct Steady {
    double rotation[4];
    double position[3];
    double centre[3];
    double linear[3];
    double angular[3];
};

const Steady STILL = {{1, 0, 0, 0}, {}, {}, {}, {}};

struct Answer {
    // 0: free, 1: contact at the time, anything else: no answer.
    std::int32_t kind;
    double time;
};

struct Meshes {
    std::unique_ptr<Spheres> spheres[2];
    std::unique_ptr<Boxes> boxes[2];
};

fcl::Vector3d vector(const double* x) { return {x[0], x[1], x[2]}; }

fcl::Matrix3d matrix(const double* wxyz) {
    return fcl::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).toRotationMatrix();
}

// A body point x is at position + R·centre + t·linear + Rot(t·angular)·R·(x − centre).
//
// FCL's own constructors take two poses: those without a reference point leave it uninitialised, the one of two
// transforms and a point leaves the velocities so, and none can turn by more than half a turn.
struct Motion : fcl::InterpMotion<double> {
    explicit Motion(const Steady& s)
        : InterpMotion(matrix(s.rotation), vector(s.position), matrix(s.rotation), vector(s.position),
                       vector(s.centre)) {
        linear_vel = vector(s.linear);
        angular_vel = vector(s.angular).norm();
        angular_axis = angular_vel > 0 ? fcl::Vector3d(vector(s.angular) / angular_vel) : fcl::Vector3d::UnitX();
    }
};

template <class Model>
std::unique_ptr<Model> load(const Mesh& mesh) {
    std::vector<fcl::Vector3d> points;
    for (std::size_t i = 0; i < mesh.point_count; ++i) points.push_back(vector(mesh.points + 3 * i));
    std::vector<fcl::Triangle> triangles;
    for (std::size_t i = 0; i < mesh.triangle_count; ++i) {
        const std::uint32_t* t = mesh.triangles + 3 * i;
        triangles.emplace_back(t[0], t[1], t[2]);
    }
    auto model = std::make_unique<Model>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

Answer cast(const fcl::CollisionGeometryd* first, const fcl::CollisionGeometryd* second, const Steady& steady,
            const fcl::ContinuousCollisionRequestd& request) {
    const Motion motion(steady);
    const Motion still(STILL);
    fcl::ContinuousCollisionResultd result;
    // At least zero unless the pair of types is unsupported; not a number fails the comparison too.
    if (!(fcl::continuousCollide(first, &motion, second, &still, request, result) >= 0)) return {-1, 0};
    return {result.is_collide, result.time_of_contact};
}

}  // namespace

extern "C" {

Meshes* avert_fcl_load(Mesh first, Mesh second) {
    try {
        return new Meshes{{load<Spheres>(first), load<Spheres>(second)}, {load<Boxes>(first), load<Boxes>(second)}};
    } catch (...) {
        return nullptr;
    }
}

void avert_fcl_free(Meshes* meshes) { delete meshes; }

Answer avert_fcl_advance(const Meshes* meshes, const Steady* steady) {
    try {
        // As shipped: for two meshes FCL 0.7 ignores the iterations and the time error asked for (10 and 1e-4), and
        // advances until a step is at most 1e-5.
        fcl::ContinuousCollisionRequestd request;
        request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
        return cast(meshes->spheres[0].get(), meshes->spheres[1].get(), *steady, request);
    } catch (...) {
        return {-1, 0};
    }
}

// What FCL means to do for two meshes of swept spheres. In 0.7 the table behind `continuousCollide` leads elsewhere: to
// the general way, which moves every point of meshes that are moved already, so it is slow and wrong.
Answer avert_fcl_advance_oriented(const Meshes* meshes, const Steady* steady) {
    try {
        using Node = fcl::detail::MeshConservativeAdvancementTraversalNodeRSS<double>;
        const Motion motion(*steady);
        const Motion still(STILL);
        fcl::CollisionResultd result;
        double time = 0;
        const bool contact = fcl::detail::conservativeAdvancementMeshOriented<fcl::RSS<double>, Node>(
            *meshes->spheres[0], &motion, *meshes->spheres[1], &still, fcl::CollisionRequestd(), result, time);
        return {contact, time};
    } catch (...) {
        return {-1, 0};
    }
}

Answer avert_fcl_sample(const Meshes* meshes, const Steady* steady, std::size_t samples) {
    try {
        // The times are i / (samples - 1). The time error stays 1e-4, as shipped: it allows 10,000 samples, so that the
        // count asked for is the one that holds.
        fcl::ContinuousCollisionRequestd request(samples);
        request.ccd_solver_type = fcl::CCDC_NAIVE;
        return cast(meshes->boxes[0].get(), meshes->boxes[1].get(), *steady, request);
    } catch (...) {
        return {-1, 0};
    }
}

// At most zero if they overlap; not a number if FCL fails. RSS and OBBRSS take about the same time.
double avert_fcl_distance(const Meshes* meshes, const double* rotation, const double* position) {
    try {
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.linear() = matrix(rotation);
        pose.translation() = vector(position);
        fcl::DistanceResultd result;
        return fcl::distance<double>(meshes->spheres[0].get(), pose, meshes->spheres[1].get(),
                                     fcl::Transform3d::Identity(), fcl::DistanceRequestd(), result);
    } catch (...) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

// Where FCL takes a body point to be at a time. Nothing in it allocates or throws.
void avert_fcl_place(const Steady* steady, double time, double* point) {
    const Motion motion(*steady);
    motion.integrate(time);
    fcl::Transform3d pose;
    motion.getCurrentTransform(pose);
    const fcl::Vector3d placed = pose * vector(point);
    for (int i = 0; i < 3; ++i) point[i] = placed[i];
}

}
