/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"

G_BEGIN_DECLS

/* Only the server identifies the model. Returns a sentence. The caller owns it. */
char *dyno_provenance_describe_served (const char *spec, const DynoServer *server);
/* Identifies the model, so that two results can be checked for the same model. Uses the hash of a file
 * (without weights in other files); for a model that Dyno built, the name in the cache, which contains a
 * hash of the whole graph, and the hash of trained weights, which does not depend on the precision. Returns
 * a sentence. The caller owns it. */
char *dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed);

G_END_DECLS
