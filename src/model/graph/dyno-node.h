/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* ONNX Runtime's own operators: docs/ContribOperators.md in its sources */
#define DYNO_NODE_CONTRIB "com.microsoft"

Onnx__NodeProto *dyno_node_new (const char *op_type, const char *name);
void dyno_node_free (Onnx__NodeProto *self);

void dyno_node_add_input (Onnx__NodeProto *self, const char *value);
void dyno_node_add_output (Onnx__NodeProto *self, const char *value);
void dyno_node_add_tensor (Onnx__NodeProto *self, const char *name, Onnx__TensorProto *tensor);
void dyno_node_add_repeated (Onnx__NodeProto *self, const char *name, gint64 value, gsize n_values);
Onnx__GraphProto *dyno_node_add_body (Onnx__NodeProto *self, const char *name, const char *graph_name);
void dyno_node_add_body_input (Onnx__GraphProto *body, const char *name, int type);
void dyno_node_add_body_output (Onnx__GraphProto *body, const char *name, int type);
void dyno_node_parse_attributes (Onnx__NodeProto *self, const char *attributes);

gint64 dyno_node_get_int (const Onnx__NodeProto *self, const char *name, gint64 fallback);
const gint64 *dyno_node_get_ints (const Onnx__NodeProto *self, const char *name, gsize *n_values);
gint64 dyno_node_get_window_elements (const Onnx__NodeProto *self);
char *dyno_node_dup_string (const Onnx__NodeProto *self, const char *name);
gboolean dyno_node_has_string (const Onnx__NodeProto *self, const char *name, const char *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Onnx__NodeProto, dyno_node_free)

G_END_DECLS
