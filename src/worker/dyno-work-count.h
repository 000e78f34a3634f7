/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Runs one unoptimised step on the CPU backend, because only then every operator has the shapes from which
 * its work is counted. Returns `flops`, their number, and `uncounted`, the operators without a cost rule.
 * The caller owns it. @dimensions: sizes of other free dimensions, such as `height=320,width=320`. @inputs
 * (nullable): values of inputs, as for dyno_model_create_inputs(). */
JsonObject *dyno_work_count (const char *spec,
                             guint batch_size,
                             guint sequence_length,
                             const char *dimensions,
                             const char *inputs,
                             GError **error);

G_END_DECLS
