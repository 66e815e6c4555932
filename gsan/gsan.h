#pragma once
// Everything that a program of somebody else's usually needs of gsan::gsan, built with torch. A room's own
// headers hold the rest; where compile time counts, include those alone.

// Complexes, and how to make them.
#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/hex_grid.h"
#include "gsan/topology/homology.h"
#include "gsan/topology/rips.h"

// Files of complexes and signals.
#include "gsan/data/formats/lift.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/signal_csv.h"

// Operators, spectra, decompositions.
#include "gsan/hodge/decomposition.h"
#include "gsan/hodge/dirac.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/operators.h"
#include "gsan/hodge/spectral/spectrum.h"

// Layers, models, their weights, the laws that they obey.
#include "gsan/laws/laws.h"
#include "gsan/models/backbones/network.h"
#include "gsan/models/model.h"
#include "gsan/models/presets.h"
#include "gsan/models/registry.h"
#include "gsan/nn/simplicial_layer.h"
#include "gsan/nn/weights.h"

// Tasks and training.
#include "gsan/tasks/task.h"
#include "gsan/train/trainer.h"
