/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* A file does not say which sizes it takes, and those that are usual for a name or a place may not be its
 * own. The numbers in the shapes that its graph computes come first, then sizes that many models have.
 * Returns dimensions with sizes to try, as for dyno_model_bind(), the likely ones first. @given: sizes of
 * dimensions that a person chose, which stay. */
char **dyno_size_search_list (DynoModel *model, const char *given);

G_END_DECLS
