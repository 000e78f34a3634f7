/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

char *model_test_make_folder (void);
void model_test_remove_folder (char *folder);
DynoModel *model_test_load (const char *spec);

Onnx__ModelProto *model_test_onnx_new (void);
void
model_test_onnx_add_input (Onnx__ModelProto *model, const char *name, DynoDataType type, const char *dims);
void model_test_onnx_add_output (Onnx__ModelProto *model, const char *name, const char *dims);
Onnx__TensorProto *model_test_onnx_add_weight (
    Onnx__ModelProto *model, const char *name, DynoDataType type, gint64 rows, gint64 columns);
void model_test_onnx_add_node (Onnx__ModelProto *model, const char *op_type, const char *output, ...)
    G_GNUC_NULL_TERMINATED;
void model_test_onnx_add_external (Onnx__TensorProto *tensor, const char *key, const char *value);
char *model_test_onnx_save (Onnx__ModelProto *model, const char *folder, const char *name);

static inline void
model_test_onnx_free (Onnx__ModelProto *model)
{
  onnx__model_proto__free_unpacked (model, NULL);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Onnx__ModelProto, model_test_onnx_free)

G_END_DECLS
