// What stands behind the printed numbers: docs/tasks.md.

#include "gsan/tasks/trajectory/task.h"

namespace gsan {

ModelShape PublishedTrajectory::shape() const {
  ModelShape shape = Trajectory::shape();
  if (options().readout == TrajectoryReadout::pooled) return shape;
  shape.order = dataset().order;
  shape.simplices = dataset().complex.count(dataset().order);
  return shape;
}

std::vector<std::string> PublishedTrajectory::remarks() const {
  std::vector<std::string> all{
      "Validation and test are the same signals: the best epoch is chosen on the test part."};
  if (options().readout == TrajectoryReadout::flattened)
    all.emplace_back(
        "The readout is linear on the flattened signal, so it belongs to this one complex and its "
        "orientation.");
  all.insert(all.end(), dataset().remarks.begin(), dataset().remarks.end());
  return all;
}

}  // namespace gsan
