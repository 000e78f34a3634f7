/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "onnx.pb-c.h"

G_BEGIN_DECLS

/**
 * DynoOnnxAxes:
 *
 * Names the free dimensions of an ONNX file. A file need not name them, and a name may be meaningless.
 */
typedef struct _DynoOnnxAxes DynoOnnxAxes;

/* Returns the names of its free dimensions. */
DynoOnnxAxes *dyno_onnx_axes_new (const Onnx__GraphProto *graph);
void dyno_onnx_axes_free (DynoOnnxAxes *self);
/* Returns the name of the free dimension, with an ending that states its meaning if the name alone does
 * not.
 * @usual: a size that is usual by its place, -1 if there is none. */
char *dyno_onnx_axes_dup_name (
    DynoOnnxAxes *self, const Onnx__ValueInfoProto *value, guint axis, gboolean is_input, gint64 *usual);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOnnxAxes, dyno_onnx_axes_free)

G_END_DECLS
