#include "gsan/data/formats/text/benson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "gsan/core/check.h"
#include "gsan/data/formats/gzip.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 3> benson_endings{"-nverts.txt", "-simplices.txt", "-times.txt"};

// "a/b" of "a/b-nverts.txt.gz"; nothing for other names.
std::optional<std::string> benson_prefix(const std::string& path) {
  const std::string_view plain = without_gz(path);
  for (const std::string_view ending : benson_endings)
    if (plain.ends_with(ending)) return std::string(plain.substr(0, plain.size() - ending.size()));
  return std::nullopt;
}

// The one dataset of a folder.
std::string prefix_in(const fs::path& folder) {
  std::set<std::string> prefixes;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (without_gz(entry->path().string()).ends_with(benson_endings[0]))
      prefixes.insert(*benson_prefix(entry->path().string()));
  if (error) fail(Fault::io, "cannot read the folder ", folder.string(), ": ", error.message());
  if (prefixes.empty())
    fail(Fault::io, "cannot read ", folder.string(),
         ": it is a folder without a file PREFIX-nverts.txt (format benson); give the file of the complex");
  if (prefixes.size() > 1)
    fail(Fault::format, folder.string(), ": there are several datasets, ", *prefixes.begin(), " and ",
         *std::next(prefixes.begin()), " among them; give the path of one of their files");
  return *prefixes.begin();
}

std::optional<fs::path> plain_or_packed(const std::string& path) {
  const bool is_plain = fs::exists(path), is_packed = fs::exists(path + ".gz");
  if (is_plain && is_packed)
    fail(Fault::format, path, ": there is also ", path, ".gz; take one of them away");
  if (!is_plain && !is_packed) return std::nullopt;
  return is_plain ? path : path + ".gz";
}

// A number a line, one after the other.
class NumberLines {
 public:
  NumberLines(std::string_view bytes, std::string_view source)
      : lines_(checked_text(bytes, source), source) {}

  // Moves to the next line that is not blank; false at the end.
  bool next() {
    while (lines_.next()) {
      word_ = trimmed(lines_.line());
      if (!word_.empty()) return true;
    }
    return false;
  }
  std::size_t line() const { return lines_.number(); }
  std::int64_t integer(std::string_view what) const {
    const auto number = parse_integer(word_);
    if (!number) fail_here(what, " must be an integer, one a line, got ", in_quotes(word_));
    return *number;
  }
  double time() const {
    const auto number = parse_number(word_);
    if (!number || !std::isfinite(*number))
      fail_here("a time must be a finite number, one a line, got ", in_quotes(word_));
    return *number;
  }
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    lines_.fail_at(word_, parts...);
  }

 private:
  Lines lines_;
  std::string_view word_;
};

// Keeps the first listing of every simplex. Values: how often it is listed and, where times are known, the
// first of them.
Signal merge_listings(ListedSimplices& list, Index rows, const std::vector<double>* times) {
  const auto width = static_cast<std::size_t>(list.order) + 1;
  const std::size_t columns = times != nullptr ? 2 : 1;
  std::vector<std::size_t> place(static_cast<std::size_t>(rows), 0);  // in the shorter list, from 1
  Signal values;
  std::size_t kept = 0;
  for (std::size_t r = 0; r < list.rows.size(); ++r) {
    std::size_t& at = place[static_cast<std::size_t>(list.rows[r])];
    if (at == 0) {
      at = ++kept;
      std::copy_n(list.vertices.begin() + static_cast<std::ptrdiff_t>(r * width), width,
                  list.vertices.begin() + static_cast<std::ptrdiff_t>((kept - 1) * width));
      list.rows[kept - 1] = list.rows[r];
      list.signs[kept - 1] = list.signs[r];
      values.values.push_back(0);
      if (times != nullptr) values.values.push_back((*times)[r]);
    }
    double* row = &values.values[(at - 1) * columns];
    row[0] += 1;
    if (times != nullptr) row[1] = std::min(row[1], (*times)[r]);
  }
  list.vertices.resize(kept * width);
  list.rows.resize(kept);
  list.signs.resize(kept);
  if (kept == 0) return {};
  values.rows = kept;
  values.columns = columns;
  values.names = {"count"};
  if (times != nullptr) values.names.emplace_back("time");
  return values;
}

}  // namespace

bool is_benson_file(const fs::path& path) {
  const auto prefix = benson_prefix(path.string());
  if (!prefix) return false;
  const std::string counts = concat(*prefix, benson_endings[0]);
  return without_gz(path.string()) == counts || fs::exists(counts) || fs::exists(counts + ".gz");
}

BensonFiles find_benson(const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const auto named = benson_prefix(path.string());
  if (!is_folder && !named)
    fail(Fault::argument, path.string(),
         ": the format benson has the files PREFIX-nverts.txt, PREFIX-simplices.txt and PREFIX-times.txt; "
         "give the path of one of them, or of their folder");
  const std::string prefix = is_folder ? prefix_in(path) : *named;
  const auto need = [&](std::string_view ending) {
    const auto found = plain_or_packed(concat(prefix, ending));
    if (!found)
      fail(Fault::io, "cannot read ", prefix, ending, ": there is no such file, nor ", prefix, ending,
           ".gz; the format benson needs ", benson_endings[0], " and ", benson_endings[1]);
    return *found;
  };
  return {need(benson_endings[0]), need(benson_endings[1]),
          plain_or_packed(concat(prefix, benson_endings[2]))};
}

ComplexFile parse_benson(const BensonFiles& files, const std::function<std::string(const fs::path&)>& read,
                         const ReadOptions& options) {
  const std::string counts_source = files.counts.string(), simplices_source = files.simplices.string(),
                    times_source = files.times ? files.times->string() : "";
  const std::string count_bytes = read(files.counts), vertex_bytes = read(files.simplices),
                    time_bytes = files.times ? read(*files.times) : "";
  NumberLines counts(count_bytes, counts_source), vertices(vertex_bytes, simplices_source),
      moments(time_bytes, times_source);
  ListBuilder builder(counts_source, "line");
  std::vector<std::vector<double>> times;  // per order, of every listing
  std::vector<std::int64_t> simplex, sorted;
  while (counts.next()) {
    const std::int64_t size = counts.integer("a number of vertices");
    if (size < 1) counts.fail_here("a simplex has at least one vertex, got ", size);
    simplex.clear();
    for (std::int64_t i = 0; i < size; ++i) {
      if (!vertices.next())
        counts.fail_here("the simplex has ", size, " vertices, but ", simplices_source, " ends after ", i,
                         " of them");
      simplex.push_back(vertices.integer("a vertex"));
    }
    if (files.times && !moments.next())
      counts.fail_here(times_source, " ends before the time of this simplex");
    sorted = simplex;
    std::sort(sorted.begin(), sorted.end());
    if (options.skip_degenerate && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) continue;
    for (const std::int64_t vertex : simplex) builder.add(vertex);
    builder.end_simplex(counts.line());
    if (times.size() < simplex.size()) times.resize(simplex.size());
    if (files.times) times[simplex.size() - 1].push_back(moments.time());
  }
  if (vertices.next()) vertices.fail_here("more vertices than the simplices of ", counts_source, " have");
  if (files.times && moments.next()) moments.fail_here("more times than ", counts_source, " has simplices");

  ComplexFile file{builder.build(Repeats::merge, options), {}};
  for (ListedSimplices& list : file.listed.lists) {
    const std::size_t order = file.values.size();
    file.values.push_back(merge_listings(list, file.listed.complex.count(list.order),
                                         files.times && order < times.size() ? &times[order] : nullptr));
  }
  return file;
}

}  // namespace gsan
