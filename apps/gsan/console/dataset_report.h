#pragma once
// What the command prints about public datasets.

#include <string>

#include "gsan/data/fetch/cache.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// The entry of the catalog with the state and place of every file; `read_catalog` reads it back.
Json dataset_json(const Dataset& dataset, const DatasetReport& report);

/// What it is, its terms and what to cite.
std::string dataset_notice(const Dataset& dataset);

}  // namespace gsan::app
