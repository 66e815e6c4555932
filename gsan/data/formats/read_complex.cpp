#include "gsan/data/formats/read_complex.h"

#include <algorithm>
#include <filesystem>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/gzip.h"
#include "gsan/data/formats/hif/hif.h"
#include "gsan/data/formats/mesh/obj.h"
#include "gsan/data/formats/mesh/off.h"
#include "gsan/data/formats/mesh/ply.h"
#include "gsan/data/formats/text/benson.h"
#include "gsan/data/formats/text/edge_list.h"
#include "gsan/data/formats/text/gudhi_text.h"
#include "gsan/data/formats/text/hyperedges.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/points_csv.h"
#include "gsan/data/formats/text/simplices_text.h"

namespace gsan {
namespace {

// Without .gz.
std::string extension_of(const std::string& path) {
  return lower_case(std::filesystem::path(without_gz(path)).extension().string());
}

std::string known_formats(bool writable) {
  std::string list;
  for (const ComplexFormat& format : complex_formats()) {
    if (writable && format.print == nullptr) continue;
    list += concat(list.empty() ? "" : ", ", format.name, " (", joined(format.extensions, " "), ")");
  }
  return list;
}

const ComplexFormat* format_of_extension(const std::string& extension) {
  for (const ComplexFormat& format : complex_formats()) {
    if (std::ranges::find(format.extensions, extension) != format.extensions.end()) return &format;
  }
  return nullptr;
}

// By the name alone; nullptr where it leaves the format open.
const ComplexFormat* format_of_name(const std::string& path) {
  std::error_code error;
  if (is_benson_file(path) || std::filesystem::is_directory(path, error)) return &complex_format("benson");
  return format_of_extension(extension_of(path));
}

ComplexFile read_benson(const std::string& path, const ReadOptions& options) {
  return parse_benson(find_benson(path), read_unpacked, options);
}

ComplexFile refuse_one_file(std::string_view, std::string_view source, const ReadOptions&) {
  fail(Fault::argument, source,
       ": the format benson is several files; read them by the path of PREFIX-nverts.txt");
}

}  // namespace

const std::vector<ComplexFormat>& complex_formats() {
  static const std::vector<ComplexFormat> formats{
      {"simplices",
       {".simplices", ".sc"},
       parse_simplices,
       [](const ComplexFile& file) { return print_simplices(file.listed); }},
      {"edges", {".edges", ".edgelist", ".el"}, parse_edge_list, nullptr},
      {"hyperedges", {".hyperedges"}, parse_hyperedges, nullptr},
      {"points", {".points", ".xyz"}, parse_points, nullptr},
      {"hif", {".json", ".hif"}, parse_hif, print_hif},
      {"gudhi", {".gudhi", ".st"}, parse_gudhi, print_gudhi},
      {"off", {".off"}, parse_off, nullptr},
      {"obj", {".obj"}, parse_obj, nullptr},
      {"ply", {".ply"}, parse_ply, nullptr},
      {"benson", {"-nverts.txt", "-simplices.txt", "-times.txt"}, refuse_one_file, nullptr, read_benson}};
  return formats;
}

const ComplexFormat& complex_format(std::string_view name) {
  std::vector<std::string> names;
  for (const ComplexFormat& format : complex_formats()) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  fail(Fault::argument, "unknown format ", in_quotes(name), ", did you mean ", nearest_word(name, names),
       "? Known formats: ", known_formats(false));
}

const ComplexFormat& detect_format(const std::string& path, std::string_view bytes) {
  const std::string extension = extension_of(path);
  if (const ComplexFormat* format = format_of_name(path)) return *format;
  const std::string_view text = without_mark(bytes);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return complex_format("hif");
  if (text.starts_with("ply\n") || text.starts_with("ply\r\n")) return complex_format("ply");
  if (is_off(text)) return complex_format("off");
  const bool binary = text.find('\0') != std::string_view::npos;
  if (extension == ".csv" || extension == ".tsv") {
    if (!binary && has_hyperedge_header(text)) return complex_format("hyperedges");
    if (!binary && has_edge_header(text)) return complex_format("edges");
    if (!binary && has_points_header(text)) return complex_format("points");
    if (!binary && is_ragged(text, path)) return complex_format("hyperedges");
    fail(Fault::argument, path,
         ": a table can hold edges, hyperedges or points; let its first line name the columns (v0,v1 or "
         "edge,node or x,y), or pass the format edges, hyperedges or points. Known formats: ",
         known_formats(false));
  }
  if (!binary && (extension == ".txt" || extension.empty())) return complex_format("simplices");
  fail(Fault::argument, path, ": neither the extension ", in_quotes(extension),
       " nor the content determines the format; name it. Known formats: ", known_formats(false));
}

ComplexFile read_complex(const std::string& path, std::string_view format, const ReadOptions& options,
                         std::string_view usual) {
  const ComplexFormat* chosen = format.empty() ? format_of_name(path) : &complex_format(format);
  if (chosen == nullptr && !usual.empty()) chosen = &complex_format(usual);
  const LongWork work(concat("reading ", path));
  if (chosen != nullptr && chosen->read != nullptr) return chosen->read(path, options);
  const std::string bytes = read_unpacked(path);
  if (chosen == nullptr) chosen = &detect_format(path, bytes);
  return chosen->parse(bytes, path, options);
}

void write_complex(const std::string& path, const ComplexFile& file, std::string_view format) {
  GSAN_CHECK(!path.ends_with(".gz"), path, ": gzipped files can only be read; write it without .gz");
  const ComplexFormat* chosen =
      format.empty() ? format_of_extension(extension_of(path)) : &complex_format(format);
  if (chosen == nullptr) chosen = &complex_format("simplices");
  if (chosen->print == nullptr) {
    fail(Fault::argument, path, ": format ", chosen->name,
         " can only be read; formats to write: ", known_formats(true));
  }
  write_file_atomically(path, chosen->print(file));
}

}  // namespace gsan
