#pragma once
// A preconditioner for A = T Tᵀ whose cost and quality do not depend on the size of a mesh:
// algebraic multigrid by plain aggregation with K-cycles (Notay, "An aggregation-based
// algebraic multigrid method", 2010): two steps of flexible conjugate gradients on each coarse
// level, preconditioned by the next one.

#include <vector>

#include "gsan/hodge/solve/aggregation.h"
#include "gsan/hodge/solve/block_gauss_seidel.h"
#include "gsan/hodge/solve/semidefinite_factor.h"

namespace gsan {

/// Effective where A is a graph Laplacian up to signs, harmless elsewhere: r · M(r) ≥ 0 for
/// every positive semidefinite A. The cycle is not linear in r: use it in flexible methods.
/// Memory: linear in the entries of A, since coarse levels have fewer.
class Multigrid {
 public:
  explicit Multigrid(PairMatrix matrix);

  /// The vectors of one solve; several solves may share a Multigrid.
  class Workspace {
   public:
    Workspace(const Multigrid& multigrid, int width);

   private:
    friend class Multigrid;
    struct Vectors {
      std::vector<double> x, r, z, v, rest, scratch;
    };
    int width_;
    std::vector<Vectors> levels_;
  };

  const BlockGaussSeidel& finest() const { return levels_.front().smoother; }
  int level_count() const { return static_cast<int>(levels_.size()); }

  /// z ≈ A⁺ r.
  void cycle(const double* r, double* z, Workspace& workspace) const { cycle(0, r, z, workspace); }

 private:
  struct Level {
    BlockGaussSeidel smoother;
    Aggregation down;  // to the next level; no groups on the last one
  };
  void cycle(std::size_t level, const double* r, double* x, Workspace& workspace) const;
  void solve_coarse(std::size_t level, Workspace& workspace) const;

  std::vector<Level> levels_;
  bool dense_ = false;  // the last level is solved by coarsest_, else by one smoothing step
  SemidefiniteFactor coarsest_;
};

}  // namespace gsan
