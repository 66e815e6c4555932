#include "gsan/data/fetch/catalog.h"

#include <algorithm>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/fetch/detail/plain_path.h"

namespace gsan {
namespace {

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

DatasetFile plain_file(const std::string& folder, std::string name, std::string sha256, std::uint64_t size) {
  return {.path = name, .sha256 = std::move(sha256), .size = size, .url = folder + name};
}

// NAME_suffix.txt of a TU dataset, which comes as NAME.zip with everything in a folder NAME.
DatasetFile tu_file(const std::string& name, const std::string& suffix, std::string sha256,
                    std::uint64_t size) {
  const std::string path = name + suffix;
  return {.path = path,
          .sha256 = std::move(sha256),
          .size = size,
          .url = "https://www.chrsmrrs.com/graphkerneldatasets/" + name + ".zip",
          .member = name + "/" + path};
}

std::vector<Dataset> public_datasets() {
  const std::string drifters =
      "https://raw.githubusercontent.com/nglaze00/SCoNe_GCN/35cf6bfa75eaf3cae5635729ccdf15d17a6177c7/"
      "ocean_drifters_data/";
  const std::string coauthors =
      "https://raw.githubusercontent.com/stefaniaebli/simplicial_neural_networks/"
      "094c0f00834a7b1daab6a0cb31be33b168fd38c1/data/s2_3_collaboration_complex/";
  const std::string tu_citation =
      "Morris, Kriege, Bause, Kersting, Mutzel, Neumann: TUDataset: a collection of benchmark datasets for "
      "learning with graphs. ICML workshop GRL+, 2020.";
  return {
      {.name = "ocean",
       .what = "ocean drifters near Madagascar: trajectories on a map of hexagons (HDF5)",
       .folder = "ocean",
       .terms = "The repository that publishes the file is under the MIT licence.",
       .citation = "Schaub, Benson, Horn, Lippner, Jadbabaie: Random walks on simplicial complexes and the "
                   "normalized Hodge 1-Laplacian. SIAM Review, 2020. "
                   "Roddenberry, Glaze, Segarra: Principled simplicial neural networks for trajectory "
                   "prediction. ICML, 2021.",
       .files = {plain_file(drifters, "dataBuoys.jld2",
                            "4b312f54fb451d989629b5330cd4633c61f23dc90ea7e1bff6e6fb00a3ed5caa", 3684908)}},
      {.name = "citation",
       .what = "co-authorship complex of papers with numbers of citations (NPY with pickled objects)",
       .folder = "citation",
       .terms = "Made from Semantic Scholar's corpus: for non-commercial use.",
       .citation = "Ebli, Defferrard, Spreemann: Simplicial neural networks. NeurIPS workshop on topological "
                   "data analysis, 2020. "
                   "Ammar et al.: Construction of the literature graph in Semantic Scholar. NAACL, 2018.",
       .files = {plain_file(coauthors, "150250_boundaries.npy",
                            "00bf49c9bfb6fd5db3c99d73c8e98233fbd0a941878b79ee51e1acf42d76ae53", 1736298),
                 plain_file(coauthors, "150250_cochains.npy",
                            "d583d5ec7a151d819081d481394f46e345bb5a6d119650f339360605ca37f516", 1151733),
                 plain_file(coauthors, "150250_simplices.npy",
                            "0777e3bff7d5d2b9226ed5bb786db852006680354575eb5b30251ff9abb14121", 1173915)}},
      {.name = "proteins",
       .what = "1113 proteins as graphs, enzyme or not (TU text format)",
       .folder = "tu/PROTEINS",
       .terms = "The README in the archive of TUDataset states no licence and names the works to cite.",
       .citation =
           "Borgwardt, Ong, Schoenauer, Vishwanathan, Smola, Kriegel: Protein function prediction via "
           "graph kernels. Bioinformatics, 2005. "
           "Dobson, Doig: Distinguishing enzyme structures from non-enzymes without alignments. "
           "Journal of Molecular Biology, 2003. " +
           tu_citation,
       .files = {tu_file("PROTEINS", "_A.txt",
                         "4c4b33e272fc95cac6d27ed6d5d12b9a852c8610e91fff59f8f0dbdd5a20df67", 2022990),
                 tu_file("PROTEINS", "_graph_indicator.txt",
                         "8d4ff1e852a5c28561e9bffb44cf9490bc552b13a3b6156dd12dc7f44e9afc4a", 169673),
                 tu_file("PROTEINS", "_graph_labels.txt",
                         "c0ef9810c440775252872318d0c8adc385588e14bc4c47a2c34aa96ee3c7cdcd", 2226),
                 tu_file("PROTEINS", "_node_attributes.txt",
                         "54eef829abb37e458a5fbf3a3c581e48e5810e220463c2cd951856b9ceb08f07", 478190),
                 tu_file("PROTEINS", "_node_labels.txt",
                         "f758e8ad3d6e3c026b50833d75f6f90735b94eb3345e4243707f495ca8afea8d", 86942)}},
      {.name = "nci1",
       .what = "4110 chemical compounds as graphs, active against lung cancer cells or not (TU text format)",
       .folder = "tu/NCI1",
       .terms = "The README in the archive of TUDataset states no licence and names the works to cite.",
       .citation = "Wale, Karypis: Comparison of descriptor spaces for chemical compound retrieval and "
                   "classification. ICDM, 2006. " +
                   tu_citation,
       .files = {tu_file("NCI1", "_A.txt", "b2d5f854a3954f675348f27f938275bacf02a9c8a20d84c45e1ef56b87199f3d",
                         3501404),
                 tu_file("NCI1", "_graph_indicator.txt",
                         "d7f2f70ddbe7d9ac9318b14849e32be850d02d6be013743a7838cd2c4fd2d1ac", 708014),
                 tu_file("NCI1", "_graph_labels.txt",
                         "a0b254f8582278b7347eaa65a8cd9eb4fd61d174ab5b6d625b2b2c4cf50c5ce7", 12330),
                 tu_file("NCI1", "_node_labels.txt",
                         "55d28db7d9b6fcc54c131eab108395f7e9de0bf155212d0f3a1f72b8c8d237e1", 368679)}},
  };
}

}  // namespace

std::uint64_t Dataset::size() const {
  std::uint64_t sum = 0;
  for (const DatasetFile& file : files) sum += file.size;
  return sum;
}

void Dataset::validate() const {
  const auto demand = [this](bool holds, const auto&... parts) {
    if (!holds) fail(Fault::format, "dataset '", name, "': ", parts...);
  };
  demand(is_plain_path(name) && name.find('/') == std::string::npos, "its name must be one word");
  demand(is_plain_path(folder), "its folder must be a relative path without '..', got '", folder, "'");
  demand(!files.empty(), "it has no files");
  std::set<std::string> paths;
  for (const DatasetFile& file : files) {
    // .part is the name of a download on its way.
    demand(is_plain_path(file.path) && !file.path.ends_with(".part"),
           "a file needs a relative path without '..' that does not end in .part, got '", file.path, "'");
    demand(paths.insert(file.path).second, "the file '", file.path, "' is listed twice");
    demand(is_sha256(file.sha256), file.path, ": a SHA-256 has 64 digits of 0-9 and a-f, got '", file.sha256,
           "'");
    demand(file.size > 0, file.path, ": its size must be positive");
    demand(file.url.starts_with("https://"), file.path, ": its address must begin with https://, got '",
           file.url, "'");
    demand(is_plain_path(file.url.substr(file.url.rfind('/') + 1)), file.path,
           ": its address must end with the name of a file, got '", file.url, "'");
    demand(file.member.empty() || is_plain_path(file.member), file.path,
           ": a member of an archive needs a relative path without '..', got '", file.member, "'");
  }
}

const std::vector<Dataset>& catalog() {
  static const std::vector<Dataset> datasets = public_datasets();
  return datasets;
}

const Dataset& find_dataset(std::string_view name, std::span<const Dataset> datasets) {
  const auto found = std::find_if(datasets.begin(), datasets.end(), [&](const Dataset& dataset) {
    return lower_case(dataset.name) == lower_case(name);
  });
  if (found != datasets.end()) return *found;
  std::vector<std::string> names;
  for (const Dataset& dataset : datasets) names.push_back(dataset.name);
  const std::string nearest = nearest_word(lower_case(name), names);
  fail(Fault::argument, "no dataset is called '", name, "'",
       nearest.empty() ? "" : concat("; did you mean '", nearest, "'?"), " (gsan data list shows all)");
}

std::vector<Dataset> find_datasets(std::span<const std::string> names, std::span<const Dataset> datasets) {
  std::vector<Dataset> found;
  for (const std::string& name : names) {
    const Dataset& dataset = find_dataset(name, datasets);
    const auto same = [&](const Dataset& other) { return other.name == dataset.name; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(dataset);
  }
  return found;
}

}  // namespace gsan
