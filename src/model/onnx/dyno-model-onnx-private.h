/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

#include "dyno-graph.h"
#include "dyno-model-weights-private.h"
#include "dyno-tensor.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/* dyno-foreign-file */

/* Returns the kind of the file and the remedy, if it is of a known kind that is not ONNX; NULL otherwise.
 * @size: in bytes. */
const char *dyno_foreign_file_explain (const char *contents, gsize size);

/* dyno-onnx-axes */

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

/* dyno-onnx-check */

/* Returns whether all names are valid UTF-8 and all tensors are valid and accessible. @external_files:
 * gets the files with external weights, relative to the model's folder. */
gboolean dyno_onnx_check_model (const Onnx__ModelProto *model,
                                const char *path,
                                GHashTable *external_files,
                                GError **error);

/* dyno-onnx-export */

/* Writes an ONNX file for use by other programs, with the weights in a second file, `path.data`, if they
 * are too large for one. The file appears at @path only when everything is written. Returns whether it was
 * written. @path: where to write the model; an existing file is replaced. */
gboolean dyno_onnx_export (DynoGraph *graph, const char *path, guint64 seed, GError **error);

/* dyno-onnx-tensor */

/* Returns the product of its dimensions; -1 if no tensor can be that large. */
gint64 dyno_onnx_tensor_count_elements (const Onnx__TensorProto *tensor);
/* Returns the size of its values in bytes. */
gint64 dyno_onnx_tensor_get_bytes (const Onnx__TensorProto *tensor);
/* Returns the size in bytes of the dense form that an engine makes of it, including the zeros. */
gint64 dyno_onnx_tensor_get_dense_bytes (const Onnx__SparseTensorProto *tensor);
/* Returns whether its shape is valid, and its values are in the model's own file or in one beside it that
 * is large enough. @tensor: a tensor whose strings are valid UTF-8. @external_files: gets the file with
 * its values, relative to the model's folder, if they are external. */
gboolean dyno_onnx_tensor_check (const Onnx__TensorProto *tensor,
                                 const char *path,
                                 GHashTable *external_files,
                                 GError **error);
/* Its values and indices are tensors of their own, which dyno_onnx_tensor_check() checks. Returns whether
 * its shape is valid. @tensor: a sparse tensor whose strings are valid UTF-8. */
gboolean
dyno_onnx_tensor_check_sparse (const Onnx__SparseTensorProto *tensor, const char *path, GError **error);
/* Memory is only taken for values that are there. Returns its values; NULL if they are not in it, or do
 * not fit its shape. The caller owns it. @tensor: a tensor that may be hostile. */
DynoTensor *dyno_onnx_tensor_read (const Onnx__TensorProto *tensor, const char *name);

/* dyno-onnx-tree */

/**
 * DynoOnnxTree:
 * @file: the file
 * @model: its contents; its graph has nodes
 *
 * An ONNX file, mapped and parsed. It is only known to be parseable.
 */
typedef struct
{
  GMappedFile *file;
  Onnx__ModelProto *model;

  /*< private >*/
  DynoArena *arena;
} DynoOnnxTree;

/* The file may be untrusted, so only call this in workers, whose resources are limited. Returns its
 * contents. The caller owns it. */
DynoOnnxTree *dyno_onnx_tree_read (const char *path, GError **error);
void dyno_onnx_tree_free (DynoOnnxTree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOnnxTree, dyno_onnx_tree_free)

/* dyno-onnx-weights */

/**
 * DynoOnnxWeights:
 * @by_name: (element-type utf8 Onnx__TensorProto): initializers and constants of the model's own graph, by
 * the name of their value
 * @parameter_count: trained numbers among them
 * @bytes: of all of them, sparse ones as an engine unpacks them; -1 if they exceed any real model
 * @real_type: the floating-point type of most of them; undefined if there are none
 * @quantisation: (nullable): the precision of most of them, if they are quantised
 *
 * All weights of a file, wherever they are.
 */
typedef struct
{
  GHashTable *by_name;
  gint64 parameter_count;
  gint64 bytes;
  DynoDataType real_type;
  const char *quantisation;
} DynoOnnxWeights;

/* Reads the weights in initializers, in constants, in the graphs of If and Loop, and in functions.
 * Quantised ones count as their elements; scales of quantised weights still count for the type, because
 * floating-point operations are computed in it. @self: the weights, which keep names and tensors of
 * @model. */
void dyno_onnx_weights_read (DynoOnnxWeights *self, const Onnx__ModelProto *model);
void dyno_onnx_weights_clear (DynoOnnxWeights *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoOnnxWeights, dyno_onnx_weights_clear)

/* dyno-tensor-file */

/* The file may be hostile: it gets no more memory than it has bytes. Returns the tensor, with the name that
 * the file gives it, which may be empty. The caller owns it. @path: a file of NumPy (.npy) or with a tensor
 * of ONNX (.pb). Fails with DYNO_ERROR_INVALID_DATA, which states the fault of the file and the remedy. */
DynoTensor *dyno_tensor_file_read (const char *path, GError **error);
/* Returns a sequence of tensors, or the value of an optional one; a scalar of type DYNO_DATA_TYPE_OPTIONAL
 * if that is absent. A file of NumPy has one tensor. The caller owns it. @type: DYNO_DATA_TYPE_SEQUENCE or DYNO_DATA_TYPE_OPTIONAL, as the
 * model declares it. Fails with DYNO_ERROR_INVALID_DATA, which states the fault of the file and the
 * remedy. */
DynoTensor *dyno_tensor_file_read_value (const char *path, DynoDataType type, GError **error);
/* Returns the tensor. The caller owns it. @path: a file of elements in row-major order, little-endian.
 * Fails with DYNO_ERROR_INVALID_DATA. */
DynoTensor *
dyno_tensor_file_read_raw (const char *path, const char *name, const DynoShape *shape, GError **error);
/* Returns whether its bytes need a shape from elsewhere: it is neither NumPy's nor ONNX's. */
gboolean dyno_tensor_file_is_raw (const char *path);

G_END_DECLS
