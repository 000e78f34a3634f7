/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define DYNO_PIPELINE_FILE "model_index.json"

/* Returns one config with those of all parts, each under its name. @index: a `model_index.json`, which
 * lists the parts of a pipeline of Diffusers. Fails with DYNO_ERROR_UNSUPPORTED for an unknown pipeline. */
JsonObject *dyno_pipeline_load (const char *spec, const char *folder, JsonObject *index, GError **error);

G_END_DECLS
