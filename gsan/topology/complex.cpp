#include "gsan/topology/complex.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "gsan/topology/detail/face_tables.h"
#include "gsan/topology/detail/trusted_tables.h"

namespace gsan {

namespace {

// Builds something on first use, once; later calls cost one load.
class Once {
 public:
  template <class Build>
  void operator()(Build build) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    build();
    done_.store(true, std::memory_order_release);
  }
  bool done() const { return done_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> done_{false};
  std::mutex mutex_;
};

}  // namespace

struct SimplicialComplex::Level {
  Index count = 0;
  std::vector<Index> faces;  // [N_k, k + 1], empty for k = 0
  // What follows is built on first use.
  mutable Once vertices_once, cofaces_once;
  mutable std::vector<Vertex> vertices;  // [N_k, k + 1]
  mutable std::vector<Offset> coface_offsets;
  mutable std::vector<Index> cofaces;
  mutable std::vector<std::uint8_t> coface_columns;
};

struct SimplicialComplex::Tables {
  std::vector<std::unique_ptr<Level>> levels;
};

SimplicialComplex::SimplicialComplex() : tables_(std::make_shared<const Tables>()) {}

SimplicialComplex SimplicialComplex::from_sorted_tables(std::vector<std::vector<Vertex>> tables) {
  while (!tables.empty() && tables.back().empty()) tables.pop_back();
  std::vector<std::vector<Index>> faces = checked_face_tables(tables);
  return TrustedTables{std::move(faces), std::move(tables)}.freeze();
}

SimplicialComplex TrustedTables::freeze() && {
  auto built = std::make_shared<SimplicialComplex::Tables>();
  for (std::size_t k = 0; k < faces.size(); ++k) {
    auto level = std::make_unique<SimplicialComplex::Level>();
    level->count = static_cast<Index>((k == 0 ? vertices[0].size() : faces[k].size()) / (k + 1));
    level->faces = std::move(faces[k]);
    if (k < vertices.size() && !vertices[k].empty()) {
      level->vertices_once([&] { level->vertices = std::move(vertices[k]); });
    }
    if (k < cofaces.size()) {
      level->cofaces_once([&] {
        level->coface_offsets = std::move(cofaces[k].offsets);
        level->cofaces = std::move(cofaces[k].cofaces);
        level->coface_columns = std::move(cofaces[k].columns);
      });
    }
    built->levels.push_back(std::move(level));
  }
  SimplicialComplex complex;
  complex.tables_ = std::move(built);
  return complex;
}

int SimplicialComplex::order() const { return static_cast<int>(tables_->levels.size()) - 1; }

const SimplicialComplex::Level* SimplicialComplex::level(int k) const {
  return k < 0 || k > order() ? nullptr : tables_->levels[k].get();
}

Index SimplicialComplex::count(int k) const {
  const Level* at = level(k);
  return at ? at->count : 0;
}

std::span<const Vertex> SimplicialComplex::vertex_table(int k) const {
  const Level* at = level(k);
  if (!at) return {};
  // (v0 … vk) is its prefix, face k, followed by the last vertex of face k − 1.
  at->vertices_once([&] {
    const std::span<const Vertex> below = vertex_table(k - 1);
    at->vertices.resize(at->faces.size());
    for (std::size_t i = 0; i < at->faces.size(); i += k + 1) {
      const std::size_t prefix = static_cast<std::size_t>(at->faces[i + k]) * k;
      std::copy_n(below.begin() + prefix, k, at->vertices.begin() + i);
      at->vertices[i + k] = below[static_cast<std::size_t>(at->faces[i + k - 1]) * k + k - 1];
    }
  });
  return at->vertices;
}

std::span<const Index> SimplicialComplex::face_table(int k) const {
  const Level* at = level(k);
  return at ? std::span<const Index>(at->faces) : std::span<const Index>();
}

std::span<const Vertex> SimplicialComplex::vertices(int k, Index i) const {
  return vertex_table(k).subspan(static_cast<std::size_t>(i) * (k + 1), k + 1);
}

std::span<const Index> SimplicialComplex::faces(int k, Index i) const {
  return face_table(k).subspan(static_cast<std::size_t>(i) * (k + 1), k + 1);
}

const SimplicialComplex::Level& SimplicialComplex::with_cofaces(int k) const {
  const Level& at = *tables_->levels[k];
  at.cofaces_once([&] {
    const std::span<const Index> above = face_table(k + 1);
    at.coface_offsets.assign(static_cast<std::size_t>(count(k)) + 1, 0);
    for (const Index face : above) ++at.coface_offsets[face + 1];
    for (Index i = 0; i < count(k); ++i) at.coface_offsets[i + 1] += at.coface_offsets[i];
    at.cofaces.resize(above.size());
    at.coface_columns.resize(above.size());
    std::vector<Offset> next(at.coface_offsets.begin(), at.coface_offsets.end() - 1);
    for (Index i = 0; i < count(k + 1); ++i) {
      for (int j = 0; j < k + 2; ++j) {
        const Offset at_entry = next[above[static_cast<std::size_t>(i) * (k + 2) + j]]++;
        at.cofaces[at_entry] = i;
        at.coface_columns[at_entry] = static_cast<std::uint8_t>(j);
      }
    }
  });
  return at;
}

std::span<const Offset> SimplicialComplex::coface_offsets(int k) const {
  return level(k) ? std::span<const Offset>(with_cofaces(k).coface_offsets) : std::span<const Offset>();
}

std::span<const Index> SimplicialComplex::coface_table(int k) const {
  return level(k) ? std::span<const Index>(with_cofaces(k).cofaces) : std::span<const Index>();
}

std::span<const std::uint8_t> SimplicialComplex::coface_columns(int k) const {
  return level(k) ? std::span<const std::uint8_t>(with_cofaces(k).coface_columns)
                  : std::span<const std::uint8_t>();
}

std::span<const Index> SimplicialComplex::cofaces(int k, Index i) const {
  const Level& at = with_cofaces(k);
  return std::span<const Index>(at.cofaces)
      .subspan(at.coface_offsets[i], at.coface_offsets[i + 1] - at.coface_offsets[i]);
}

std::optional<Index> SimplicialComplex::find(std::span<const Vertex> simplex) const {
  const int k = static_cast<int>(simplex.size()) - 1;
  Index low = 0, high = count(k);
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (std::ranges::lexicographical_compare(vertices(k, middle), simplex))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count(k) || !std::ranges::equal(vertices(k, low), simplex)) return std::nullopt;
  return low;
}

std::size_t SimplicialComplex::memory() const {
  std::size_t bytes = 0;
  for (const auto& at : tables_->levels) {
    bytes += at->faces.capacity() * sizeof(Index);
    if (at->vertices_once.done()) bytes += at->vertices.capacity() * sizeof(Vertex);
    if (at->cofaces_once.done()) {
      bytes += at->coface_offsets.capacity() * sizeof(Offset) + at->cofaces.capacity() * sizeof(Index) +
               at->coface_columns.capacity();
    }
  }
  return bytes;
}

std::shared_ptr<const void> SimplicialComplex::storage() const { return tables_; }

bool operator==(const SimplicialComplex& a, const SimplicialComplex& b) {
  if (a.order() != b.order() || a.count(0) != b.count(0)) return false;
  // The faces of order 1 are its vertices, and faces name the same simplices once the
  // orders below agree.
  for (int k = 1; k <= a.order(); ++k) {
    if (!std::ranges::equal(a.face_table(k), b.face_table(k))) return false;
  }
  return true;
}

}  // namespace gsan
