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
/* Takes @tensor. */
void dyno_node_add_tensor (Onnx__NodeProto *self, const char *name, Onnx__TensorProto *tensor);
void dyno_node_add_repeated (Onnx__NodeProto *self, const char *name, gint64 value, gsize n_values);
/* Returns an empty graph. */
Onnx__GraphProto *dyno_node_add_body (Onnx__NodeProto *self, const char *name, const char *graph_name);
void dyno_node_add_body_input (Onnx__GraphProto *body, const char *name, int type);
void dyno_node_add_body_output (Onnx__GraphProto *body, const char *name, int type);
/* A value in brackets is a list of integers, one with a decimal point or an exponent is a float, one that
 * begins with a letter is a string, any other is an integer. @attributes (nullable): such as `axis=-1
 * epsilon=1e-12 perm=[0,2,1,3] auto_pad=SAME_UPPER`. */
void dyno_node_parse_attributes (Onnx__NodeProto *self, const char *attributes);

gint64 dyno_node_get_int (const Onnx__NodeProto *self, const char *name, gint64 fallback);
/* Returns its list of integers; NULL if there is none. */
const gint64 *dyno_node_get_ints (const Onnx__NodeProto *self, const char *name, gsize *n_values);
/* Returns product of the sizes in its `kernel_shape`; for a Resize or GridSample, the number of positions
 * that it interpolates between on a plane; for fused attention, the number of heads; for tree ensembles,
 * that of trees; for support vector machines, that of vectors; for mixtures of experts, that of experts of
 * a token; else 0. */
gint64 dyno_node_get_window_elements (const Onnx__NodeProto *self);
/* Returns its text, without spaces; NULL if there is none. */
char *dyno_node_dup_string (const Onnx__NodeProto *self, const char *name);
gboolean dyno_node_has_string (const Onnx__NodeProto *self, const char *name, const char *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Onnx__NodeProto, dyno_node_free)

G_END_DECLS
