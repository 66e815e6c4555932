#pragma once
// Datasets as bytes, for the cache of transformed data (data/transformed.h): numbers in little endian, texts
// and lists with their length in front.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/data/sources/citation.h"

namespace gsan {

class ArchiveWriter {
 public:
  void put(std::int64_t value);
  void put(std::string_view text);
  void put(const Tensor& tensor);  ///< float64, float32, int64 or int32, on the CPU; undefined is kept
  void put(const SimplicialComplex& complex);
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<std::int64_t>(list.size()));
    for (const T& item : list) put(item);
  }
  void put(const std::vector<int>& list);
  void put(const std::vector<double>& list);

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what ArchiveWriter wrote, in the same order; anything else is Fault::format, never a crash.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}
  void get(std::int64_t& value);
  void get(std::string& text);
  void get(Tensor& tensor);
  void get(SimplicialComplex& complex);
  template <class T>
  void get(std::vector<T>& list) {
    list.clear();
    list.resize(length(1));
    for (T& item : list) get(item);
  }
  void get(std::vector<int>& list);
  void get(std::vector<double>& list);
  void expect_end() const;

 private:
  std::size_t length(std::size_t item_size);  // of a list whose items take at least so many bytes
  std::string_view take(std::size_t bytes);
  std::string_view rest_;
};

void write(ArchiveWriter& archive, const ComplexDataset& dataset);
void read(ArchiveReader& archive, ComplexDataset& dataset);
void write(ArchiveWriter& archive, const CitationDataset& dataset);
void read(ArchiveReader& archive, CitationDataset& dataset);

}  // namespace gsan
