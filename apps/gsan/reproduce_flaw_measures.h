#pragma once
// Rules on the data of a table with and without a flaw of its published protocol; no training. Each is
// {"over", "columns", "rows": [{"says", "cells": [{"mean", "sd", "n"}]}]}.

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// Known values in the metric or not; values by position or by their authors.
Json imputation_flaws(int masks);

/// With and without the leak; values by position or by their authors; random or by paper.
Json simplex_prediction_flaws(int splits);

/// Orientations of the signals and of the complex.
Json trajectory_flaws(int splits);

}  // namespace gsan::app
