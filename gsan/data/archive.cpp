#include "gsan/data/archive.h"

#include <bit>
#include <cstring>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/bytes.h"

namespace gsan {
namespace {

static_assert(std::endian::native == std::endian::little, "archives are written in the order of the machine");

constexpr torch::ScalarType types[] = {torch::kFloat64, torch::kFloat32, torch::kInt64, torch::kInt32};

[[noreturn]] void damaged() { fail(Fault::format, "the archive is cut or damaged"); }

}  // namespace

void ArchiveWriter::put(std::int64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void ArchiveWriter::put(std::string_view text) {
  put(static_cast<std::int64_t>(text.size()));
  bytes_ += text;
}

void ArchiveWriter::put(const Tensor& tensor) {
  std::int64_t type = -1;
  for (std::int64_t i = 0; tensor.defined() && i < std::ssize(types); ++i)
    if (tensor.scalar_type() == types[i]) type = i;
  GSAN_CHECK(type >= 0 || !tensor.defined(), "archive: a tensor of type ", tensor.scalar_type(),
             " cannot be stored");
  put(type);
  if (!tensor.defined()) return;
  put(static_cast<std::int64_t>(tensor.dim()));
  for (const std::int64_t size : tensor.sizes()) put(size);
  const Tensor plain = tensor.contiguous();
  bytes_.append(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
}

void ArchiveWriter::put(const SimplicialComplex& complex) {
  put(static_cast<std::int64_t>(complex.order()));
  for (int k = 0; k <= complex.order(); ++k) {
    const auto table = complex.vertex_table(k);
    put(std::vector<int>(table.begin(), table.end()));
  }
}

void ArchiveWriter::put(const std::vector<int>& list) {
  put(static_cast<std::int64_t>(list.size()));
  bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(int));
}

void ArchiveWriter::put(const std::vector<double>& list) {
  put(static_cast<std::int64_t>(list.size()));
  bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(double));
}

std::string_view ArchiveReader::take(std::size_t bytes) {
  if (bytes > rest_.size()) damaged();
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

void ArchiveReader::get(std::int64_t& value) {
  value = load_bytes<std::int64_t>(take(sizeof value).data(), ByteOrder::little);
}

std::size_t ArchiveReader::length(std::size_t item_size) {
  std::int64_t count = 0;
  get(count);
  if (count < 0 || static_cast<std::uint64_t>(count) > rest_.size() / item_size) damaged();
  return static_cast<std::size_t>(count);
}

void ArchiveReader::get(std::string& text) { text = std::string(take(length(1))); }

void ArchiveReader::get(Tensor& tensor) {
  std::int64_t type = 0, dimensions = 0;
  get(type);
  tensor = Tensor();
  if (type == -1) return;
  get(dimensions);
  if (type < 0 || type >= std::ssize(types) || dimensions < 0 || dimensions > 8) damaged();
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(dimensions));
  std::uint64_t items = 1;
  for (std::int64_t& size : sizes) {
    get(size);
    if (size < 0 || (size > 0 && items > (std::uint64_t{1} << 60) / static_cast<std::uint64_t>(size)))
      damaged();
    items *= static_cast<std::uint64_t>(size);
  }
  if (items > rest_.size()) damaged();
  tensor = torch::empty(sizes, types[type]);
  const std::string_view bytes = take(tensor.nbytes());
  std::memcpy(tensor.mutable_data_ptr(), bytes.data(), bytes.size());
}

void ArchiveReader::get(SimplicialComplex& complex) {
  std::int64_t order = 0;
  get(order);
  if (order < -1 || order > 1000) damaged();
  std::vector<std::vector<Vertex>> tables(static_cast<std::size_t>(order + 1));
  for (auto& table : tables) get(table);
  complex = SimplicialComplex::from_sorted_tables(std::move(tables));
}

void ArchiveReader::get(std::vector<int>& list) {
  list.resize(length(sizeof(int)));
  const std::string_view bytes = take(list.size() * sizeof(int));
  std::memcpy(list.data(), bytes.data(), bytes.size());
}

void ArchiveReader::get(std::vector<double>& list) {
  list.resize(length(sizeof(double)));
  const std::string_view bytes = take(list.size() * sizeof(double));
  std::memcpy(list.data(), bytes.data(), bytes.size());
}

void ArchiveReader::expect_end() const {
  if (!rest_.empty()) damaged();
}

namespace {

// Every member once, in one order, for writing and reading.
template <class Data, class Visit>
void members_of_complexes(Data& data, Visit&& visit) {
  visit(data.name), visit(data.complexes), visit(data.features), visit(data.widths), visit(data.labels);
  visit(data.class_names), visit(data.item_names);
}

template <class Data, class Visit>
void members_of_citation(Data& citation, Visit&& visit) {
  auto& data = citation.data;
  visit(data.name), visit(data.complex), visit(data.values), visit(data.source_offsets), visit(data.sources);
  visit(data.source_values), visit(citation.published_values), visit(citation.published_rows);
  visit(citation.papers), visit(citation.citations);
}

}  // namespace

void write(ArchiveWriter& archive, const ComplexDataset& dataset) {
  members_of_complexes(dataset, [&](const auto& member) { archive.put(member); });
  archive.put(static_cast<std::int64_t>(dataset.classes));
}

void read(ArchiveReader& archive, ComplexDataset& dataset) {
  members_of_complexes(dataset, [&](auto& member) { archive.get(member); });
  std::int64_t classes = 0;
  archive.get(classes);
  dataset.classes = static_cast<int>(classes);
}

void write(ArchiveWriter& archive, const CitationDataset& dataset) {
  members_of_citation(dataset, [&](const auto& member) { archive.put(member); });
  archive.put(static_cast<std::int64_t>(dataset.data.source_count));
}

void read(ArchiveReader& archive, CitationDataset& dataset) {
  members_of_citation(dataset, [&](auto& member) { archive.get(member); });
  std::int64_t count = 0;
  archive.get(count);
  dataset.data.source_count = static_cast<int>(count);
}

}  // namespace gsan
