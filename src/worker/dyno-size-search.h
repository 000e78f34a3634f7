/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* Returns dimensions with sizes to try, as for dyno_model_bind(), the likely ones first: the numbers in the
 * shapes that the graph computes, then sizes that many models have. A file does not state its sizes, and
 * the usual ones for a name or a place may be wrong. @given: sizes of dimensions that a person chose, which
 * stay. */
char **dyno_size_search_list (DynoModel *model, const char *given);

G_END_DECLS
