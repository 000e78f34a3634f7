/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-onnx-writer.h"
#include "dyno-precision.h"
#include "dyno-system.h"

/* A protobuf message is limited to 2 GiB: larger weights go to a separate file. */
static gint64 max_inline_bytes = G_GINT64_CONSTANT (1900) * 1000 * 1000;

/* Runtimes map external weights, so they are aligned to pages. */
#define EXTERNAL_ALIGNMENT 4096

/* Engines map external weights instead of copying them from a message: with more weights than this, a model in the
 * cache opens in a fraction of the time, and no part of it is in memory twice. Exported models are one file as long as
 * a message can hold it. */
#define MAX_INLINE_IN_CACHE (G_GINT64_CONSTANT (64) * 1000 * 1000)

#define BUFFER_SIZE (1024 * 1024)
#define TURNED_ROWS 32

/* Number of columns that are quantised at a time: whole cache lines of each row. */
#define QUANTISED_COLUMNS 64

/* Maximum number of threads that quantise. */
#define MAX_THREADS 16

/* The message refers to a weight by the address of its description: when the packer passes that address on for writing,
 * the values are generated then. So no weight is ever in memory as a whole. */
typedef struct
{
  ProtobufCBuffer base;
  int fd;
  char *path;
  guint64 seed;
  GHashTable *weights;
  GChecksum *checksum;           /* hash of the weights read from files */
  const DynoSafetensor *checked; /* the latest tensor read */
  float *scales;                 /* of the latest quantised weight */
  guint8 *zeros;                 /* likewise; NULL if it has none */
  gint32 *biases;                /* of the latest quantised layer */
  float *bias_scales;            /* likewise */
  guint8 *buffer;
  gsize used;
  GCancellable *cancellable;
  GError *error;
} Stream;

static void
fail_with_errno (Stream *self, int code)
{
  if (self->error != NULL)
    return;
  if (code == ENOSPC || code == EDQUOT || code == EFBIG)
    self->error = g_error_new (
        DYNO_ERROR, DYNO_ERROR_FAILED,
        _ ("There is no room for the model at “%s”. Free some space, or move the cache."), self->path);
  else
    self->error =
        g_error_new (DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The model could not be written to “%s”: %s"),
                     self->path, g_strerror (code));
}

static void
write_all (Stream *self, const guint8 *data, gsize size)
{
  while (size > 0 && self->error == NULL)
    {
      gssize written = write (self->fd, data, size);

      if (written < 0 && errno != EINTR)
        fail_with_errno (self, errno);
      if (written <= 0)
        continue;
      data += written;
      size -= written;
    }
}

static void
flush (Stream *self)
{
  write_all (self, self->buffer, self->used);
  self->used = 0;
}

/* Works in place: the start of the buffer is read before it is written. Returns the size of the elements in
 * bytes. */
static gsize
round_to_type (DynoDataType type, guint8 *buffer, gsize n_values)
{
  const float *values = (const float *)buffer;
  guint16 *rounded = (guint16 *)buffer;

  if (type == DYNO_DATA_TYPE_FLOAT)
    return n_values * sizeof *values;
  for (gsize i = 0; i < n_values; i++)
    {
      float value = values[i];

      rounded[i] = type == DYNO_DATA_TYPE_FLOAT16 ? dyno_float16_from_float (value)
                                                  : dyno_float16_bfloat_from_float (value);
    }
  return n_values * sizeof *rounded;
}

/* Random weights always fit the type; those of a file may not. */
static void
check_range (Stream *self, const DynoWeight *weight, const float *values, gsize n_values)
{
  double largest = dyno_precision_get_largest (weight->shape.type);

  for (gsize i = 0; weight->tensor != NULL && self->error == NULL && i < n_values; i++)
    if (isfinite (values[i]) && (double)fabsf (values[i]) > largest)
      self->error =
          g_error_new (DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("The tensor “%s” of “%s” holds %g, which does not fit %s. Choose fp32 or bf16."),
                       weight->tensor->name, dyno_safetensors_get_path (weight->tensor->file),
                       (double)values[i], dyno_precision_from_type (weight->shape.type));
}

/* Values that are already in the right form are written directly from the file. */
static void
append_tensor (Stream *self, const DynoSafetensor *tensor)
{
  for (gsize i = 0; i < tensor->size && self->error == NULL; i += BUFFER_SIZE)
    {
      write_all (self, tensor->data + i, MIN (tensor->size - i, BUFFER_SIZE));
      if (self->error == NULL)
        g_cancellable_set_error_if_cancelled (self->cancellable, &self->error);
    }
}

static void
fail_not_finite (Stream *self, const DynoWeight *weight)
{
  if (self->error == NULL)
    self->error = g_error_new (
        DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
        _ ("The weight “%s” holds numbers that are not finite, which cannot be quantised. Choose fp32."),
        weight->name);
}

/* The columns of a weight that one thread quantises. */
typedef struct
{
  const DynoWeight *quants;
  guint64 seed;
  gsize first;
  gsize end;
  guint8 *bytes; /* of all columns, like the scales */
  float *scales;
  guint8 *zeros; /* NULL if the weight has none */
  gboolean is_finite;
} Share;

static gpointer
quantise_share (gpointer data)
{
  Share *self = data;
  gsize n_columns = dyno_quantiser_count_columns (self->quants);
  gsize n_blocks = (gsize)dyno_shape_count (&self->quants->source->scales->shape) / n_columns;
  gsize n_bytes = (gsize)dyno_shape_bytes (&self->quants->shape) / n_columns;

  self->is_finite = TRUE;
  for (gsize i = self->first; i < self->end && self->is_finite; i += QUANTISED_COLUMNS)
    self->is_finite = dyno_quantiser_fill (
        self->quants, self->seed, i, MIN (self->end - i, QUANTISED_COLUMNS), self->bytes + i * n_bytes,
        self->scales + i * n_blocks, self->zeros != NULL ? self->zeros + i * ((n_blocks + 1) / 2) : NULL);
  return NULL;
}

/* Quantises on all processors. The scales and the zero points follow in tensors of their own. */
static void
append_quants (Stream *self, const DynoWeight *quants)
{
  gsize n_bytes = (gsize)dyno_shape_bytes (&quants->shape);
  gsize n_columns = dyno_quantiser_count_columns (quants);
  g_autofree guint8 *bytes = g_malloc (n_bytes);
  guint n_threads = CLAMP (g_get_num_processors (), 1, MAX_THREADS);
  gsize n_each = n_columns / n_threads / QUANTISED_COLUMNS * QUANTISED_COLUMNS;
  GThread *threads[MAX_THREADS];
  Share shares[MAX_THREADS];
  gboolean are_finite = TRUE;

  self->scales = g_renew (float, self->scales, (gsize)dyno_shape_count (&quants->source->scales->shape));
  g_clear_pointer (&self->zeros, g_free);
  if (quants->source->zeros != NULL)
    self->zeros = g_malloc ((gsize)dyno_shape_bytes (&quants->source->zeros->shape));
  for (guint i = 0; i < n_threads; i++)
    {
      gsize end = i + 1 < n_threads ? (i + 1) * n_each : n_columns;

      shares[i] = (Share){ quants, self->seed, i * n_each, end, bytes, self->scales, self->zeros };
      threads[i] = g_thread_new ("quantise", quantise_share, &shares[i]);
    }
  for (guint i = 0; i < n_threads; i++)
    {
      g_thread_join (threads[i]);
      are_finite = are_finite && shares[i].is_finite;
    }
  if (!are_finite)
    fail_not_finite (self, quants->source);
  if (self->error == NULL)
    write_all (self, bytes, n_bytes);
  if (self->error == NULL)
    g_cancellable_set_error_if_cancelled (self->cancellable, &self->error);
}

/* Rows are complete only after the last column, so the whole matrix, a quarter of the size of the weight, is computed
 * first. */
static void
append_rows (Stream *self, const DynoWeight *quants)
{
  gsize n_columns = (gsize)quants->shape.dims[1];
  gsize n_bytes = (gsize)quants->shape.dims[0] * n_columns;
  g_autofree gint8 *rows = g_malloc (n_bytes);

  self->scales = g_renew (float, self->scales, n_columns);
  for (gsize i = 0; i < n_columns && self->error == NULL; i += QUANTISED_COLUMNS)
    {
      gsize n = MIN (n_columns - i, QUANTISED_COLUMNS);

      if (!dyno_quantiser_fill_rows (quants, self->seed, i, n, rows, self->scales + i))
        fail_not_finite (self, quants->source);
      if (self->error == NULL)
        g_cancellable_set_error_if_cancelled (self->cancellable, &self->error);
    }
  if (self->error == NULL)
    write_all (self, (const guint8 *)rows, n_bytes);
}

/* The other parts of a layer follow its weight, from which they are computed. */
static void
append_layer_part (Stream *self, const DynoWeight *part)
{
  const DynoQuantisedLayer *layer = part->layer;
  gsize size = (gsize)dyno_shape_bytes (&part->shape);
  gsize n_channels = (gsize)layer->scales->shape.dims[0];
  const DynoWeight *const sources[] = { layer->weight,  layer->bias,    layer->norm[0],
                                        layer->norm[1], layer->norm[2], layer->norm[3] };
  g_autofree gint8 *quants = NULL;

  if (part != layer->quants)
    {
      const void *numbers = part == layer->scales        ? (const void *)self->scales
                            : part == layer->bias_quants ? (const void *)self->biases
                                                         : (const void *)self->bias_scales;

      write_all (self, numbers, size);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (sources[i] != NULL && sources[i]->tensor != NULL)
      dyno_safetensor_add_to_checksum (sources[i]->tensor, self->checksum);
  quants = g_malloc (size);
  self->scales = g_renew (float, self->scales, n_channels);
  self->biases = g_renew (gint32, self->biases, n_channels);
  self->bias_scales = g_renew (float, self->bias_scales, n_channels);
  if (!dyno_quantiser_fill_layer (layer, self->seed, quants, self->scales, self->biases, self->bias_scales))
    fail_not_finite (self, layer->weight);
  if (self->error == NULL)
    write_all (self, (const guint8 *)quants, size);
  if (self->error == NULL)
    g_cancellable_set_error_if_cancelled (self->cancellable, &self->error);
}

static const DynoSafetensor *
get_tensor (const DynoWeight *weight)
{
  return weight->source != NULL ? weight->source->tensor : weight->tensor;
}

static void
append_weight (Stream *self, const DynoWeight *weight)
{
  const DynoSafetensor *tensor = get_tensor (weight);

  flush (self);
  if (weight->layer != NULL)
    {
      append_layer_part (self, weight);
      return;
    }
  /* A weight and its quantised forms are adjacent and are read from one tensor. */
  if (tensor != NULL && tensor != self->checked)
    dyno_safetensor_add_to_checksum (tensor, self->checksum);
  self->checked = tensor;
  if (weight->source != NULL && weight == weight->source->quants && weight->quantisation->largest > 0)
    append_rows (self, weight);
  else if (weight->source != NULL && weight == weight->source->quants)
    append_quants (self, weight);
  else if (weight->source != NULL && weight == weight->source->zeros)
    write_all (self, self->zeros, (gsize)dyno_shape_bytes (&weight->shape));
  else if (weight->source != NULL)
    write_all (self, (const guint8 *)self->scales, (gsize)dyno_shape_bytes (&weight->shape));
  else if (tensor != NULL && tensor->packed == NULL && !weight->is_turned &&
           tensor->shape.type == weight->shape.type)
    append_tensor (self, tensor);
  else
    {
      /* Transposed weights are read in strips as wide as whole cache lines. */
      gsize n_columns = weight->is_turned ? (gsize)weight->shape.dims[1] : 1;
      gsize n_rows = MAX (TURNED_ROWS, BUFFER_SIZE / sizeof (float) / MAX (n_columns, 1));
      gsize n_per_part =
          weight->tensor != NULL && weight->is_turned ? n_rows * n_columns : BUFFER_SIZE / sizeof (float);
      g_autofree float *buffer = g_new (float, n_per_part);
      gsize n_values = dyno_shape_count (&weight->shape);

      for (gsize i = 0; i < n_values && self->error == NULL; i += n_per_part)
        {
          gsize n_part = MIN (n_values - i, n_per_part);

          dyno_weights_fill (weight, self->seed, i, buffer, n_part);
          check_range (self, weight, buffer, n_part);
          if (self->error == NULL)
            write_all (self, (const guint8 *)buffer,
                       round_to_type (weight->shape.type, (guint8 *)buffer, n_part));
          if (self->error == NULL)
            g_cancellable_set_error_if_cancelled (self->cancellable, &self->error);
        }
    }
}

static void
append_bytes (Stream *self, const guint8 *data, gsize size)
{
  if (self->used + size > BUFFER_SIZE)
    flush (self);
  if (size > BUFFER_SIZE)
    {
      write_all (self, data, size);
      return;
    }
  memcpy (self->buffer + self->used, data, size);
  self->used += size;
}

static void
stream_append (ProtobufCBuffer *buffer, size_t size, const uint8_t *data)
{
  Stream *self = (Stream *)buffer;

  if (g_hash_table_contains (self->weights, data))
    append_weight (self, (const DynoWeight *)data);
  else if (size > 0)
    append_bytes (self, data, size);
}

/* Space is reserved first, so that a full disk is noticed before gigabytes are written. */
static gboolean
stream_open (Stream *self, const char *folder, const char *name, gint64 size)
{
  self->base.append = stream_append;
  self->path = g_build_filename (folder, name, NULL);
  self->buffer = g_malloc (BUFFER_SIZE);
  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  self->fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (self->fd < 0)
    fail_with_errno (self, errno);
  else if (size > 0 && !dyno_system_claim_space (self->fd, size))
    fail_with_errno (self, errno);
  return self->error == NULL;
}

/* The name of the file with the weights. */
static void
write_hash (Stream *self, const char *folder, GPtrArray *weights)
{
  g_autofree char *path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  gboolean is_read = FALSE;

  for (guint i = 0; i < weights->len; i++)
    is_read = is_read || get_tensor (weights->pdata[i]) != NULL;
  if (is_read && self->error == NULL)
    g_file_set_contents (path, g_checksum_get_string (self->checksum), -1, &self->error);
}

static gboolean
stream_close (Stream *self, GError **error)
{
  if (self->error == NULL)
    flush (self);
  if (self->fd >= 0 && close (self->fd) != 0)
    fail_with_errno (self, errno);
  g_free (self->path);
  g_free (self->buffer);
  g_free (self->scales);
  g_free (self->zeros);
  g_free (self->biases);
  g_free (self->bias_scales);
  g_checksum_free (self->checksum);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, self->error);
  return FALSE;
}

static void
value_info_free (gpointer data)
{
  onnx__value_info_proto__free_unpacked (data, NULL);
}

static GPtrArray *
value_infos_new (GPtrArray *infos)
{
  GPtrArray *values = g_ptr_array_new_with_free_func (value_info_free);

  for (guint i = 0; i < infos->len; i++)
    {
      DynoTensorInfo *info = infos->pdata[i];
      Onnx__ValueInfoProto *value = g_new0 (Onnx__ValueInfoProto, 1);
      Onnx__TypeProto *type = g_new0 (Onnx__TypeProto, 1);
      Onnx__TypeProto__Tensor *tensor = g_new0 (Onnx__TypeProto__Tensor, 1);
      Onnx__TensorShapeProto *shape = g_new0 (Onnx__TensorShapeProto, 1);

      onnx__value_info_proto__init (value);
      onnx__type_proto__init (type);
      onnx__type_proto__tensor__init (tensor);
      onnx__tensor_shape_proto__init (shape);
      value->name = g_strdup (dyno_tensor_info_get_name (info));
      value->type = type;
      type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
      type->tensor_type = tensor;
      tensor->elem_type = dyno_tensor_info_get_data_type (info);
      tensor->has_elem_type = TRUE;
      tensor->shape = shape;
      shape->n_dim = dyno_tensor_info_get_rank (info);
      shape->dim = g_new0 (Onnx__TensorShapeProto__Dimension *, shape->n_dim);
      for (guint axis = 0; axis < shape->n_dim; axis++)
        {
          Onnx__TensorShapeProto__Dimension *dimension = g_new0 (Onnx__TensorShapeProto__Dimension, 1);
          const char *symbol = dyno_tensor_info_get_symbol (info, axis);

          onnx__tensor_shape_proto__dimension__init (dimension);
          if (symbol != NULL)
            {
              dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
              dimension->dim_param = g_strdup (symbol);
            }
          else
            {
              dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
              dimension->dim_value = dyno_tensor_info_get_size (info, axis);
            }
          shape->dim[axis] = dimension;
        }
      g_ptr_array_add (values, value);
    }
  return values;
}

static gint64
align (gint64 offset)
{
  return (offset + EXTERNAL_ALIGNMENT - 1) / EXTERNAL_ALIGNMENT * EXTERNAL_ALIGNMENT;
}

static void
add_entry (Onnx__TensorProto *tensor, const char *key, char *value)
{
  Onnx__StringStringEntryProto *entry = g_new0 (Onnx__StringStringEntryProto, 1);

  onnx__string_string_entry_proto__init (entry);
  entry->key = g_strdup (key);
  entry->value = value;
  tensor->external_data =
      g_renew (Onnx__StringStringEntryProto *, tensor->external_data, tensor->n_external_data + 1);
  tensor->external_data[tensor->n_external_data++] = entry;
}

static void
tensor_free (gpointer data)
{
  Onnx__TensorProto *tensor = data;

  tensor->raw_data = (ProtobufCBinaryData){ 0, NULL };
  onnx__tensor_proto__free_unpacked (tensor, NULL);
}

static GPtrArray *
tensors_new (GPtrArray *weights, const char *name, gboolean external)
{
  GPtrArray *tensors = g_ptr_array_new_with_free_func (tensor_free);
  gint64 offset = 0;

  for (guint i = 0; i < weights->len; i++)
    {
      DynoWeight *weight = weights->pdata[i];
      Onnx__TensorProto *tensor = g_new0 (Onnx__TensorProto, 1);
      gint64 size = dyno_shape_bytes (&weight->shape);

      onnx__tensor_proto__init (tensor);
      tensor->name = g_strdup (weight->name);
      tensor->has_data_type = TRUE;
      tensor->data_type = weight->shape.type;
      tensor->n_dims = weight->shape.rank;
      tensor->dims = g_memdup2 (weight->shape.dims, weight->shape.rank * sizeof (gint64));
      if (external)
        {
          tensor->has_data_location = TRUE;
          tensor->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
          add_entry (tensor, "location", g_strconcat (name, DYNO_ONNX_WRITER_DATA_SUFFIX, NULL));
          add_entry (tensor, "offset", g_strdup_printf ("%" G_GINT64_FORMAT, offset));
          add_entry (tensor, "length", g_strdup_printf ("%" G_GINT64_FORMAT, size));
        }
      else
        {
          /* The address of the description is a placeholder for the data, see Stream. */
          tensor->has_raw_data = TRUE;
          tensor->raw_data = (ProtobufCBinaryData){ size, (guint8 *)weight };
        }
      offset = align (offset + size);
      g_ptr_array_add (tensors, tensor);
    }
  return tensors;
}

typedef struct
{
  Onnx__ModelProto model;
  Onnx__GraphProto graph;
  Onnx__OperatorSetIdProto opset;
  Onnx__OperatorSetIdProto contrib;
  Onnx__OperatorSetIdProto *opsets[2];
  GPtrArray *tensors;
  GPtrArray *inputs;
  GPtrArray *outputs;
} Message;

static void
message_init (Message *self, DynoGraph *graph, const char *name, gboolean external)
{
  GPtrArray *nodes = dyno_graph_get_nodes (graph);

  onnx__model_proto__init (&self->model);
  onnx__graph_proto__init (&self->graph);
  onnx__operator_set_id_proto__init (&self->opset);
  self->tensors = tensors_new (dyno_graph_get_initializers (graph), name, external);
  self->inputs = value_infos_new (dyno_graph_get_inputs (graph));
  self->outputs = value_infos_new (dyno_graph_get_outputs (graph));
  self->opset.has_version = self->model.has_ir_version = TRUE;
  self->opset.version = DYNO_GRAPH_OPSET;
  self->opset.domain = (char *)"";
  self->opsets[0] = &self->opset;
  self->model.ir_version = DYNO_GRAPH_IR_VERSION;
  self->model.producer_name = (char *)"dyno";
  self->model.producer_version = (char *)PACKAGE_VERSION;
  self->model.n_opset_import = 1;
  self->model.opset_import = self->opsets;

  /* Only domains that are used are imported. */
  onnx__operator_set_id_proto__init (&self->contrib);
  self->contrib.has_version = TRUE;
  self->contrib.version = 1;
  self->contrib.domain = (char *)DYNO_NODE_CONTRIB;
  self->opsets[1] = &self->contrib;
  for (guint i = 0; i < nodes->len; i++)
    if (g_strcmp0 (((Onnx__NodeProto *)nodes->pdata[i])->domain, DYNO_NODE_CONTRIB) == 0)
      self->model.n_opset_import = 2;

  self->model.graph = &self->graph;
  self->graph.name = (char *)"model";
  self->graph.n_node = nodes->len;
  self->graph.node = (Onnx__NodeProto **)nodes->pdata;
  self->graph.n_initializer = self->tensors->len;
  self->graph.initializer = (Onnx__TensorProto **)self->tensors->pdata;
  self->graph.n_input = self->inputs->len;
  self->graph.input = (Onnx__ValueInfoProto **)self->inputs->pdata;
  self->graph.n_output = self->outputs->len;
  self->graph.output = (Onnx__ValueInfoProto **)self->outputs->pdata;
}

static void
message_clear (Message *self)
{
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
}

static gint64
external_size (GPtrArray *weights)
{
  gint64 size = 0;

  for (guint i = 0; i < weights->len; i++)
    size = align (size + dyno_shape_bytes (&((const DynoWeight *)weights->pdata[i])->shape));
  return size;
}

gint64
dyno_onnx_writer_get_size (DynoGraph *graph)
{
  return external_size (dyno_graph_get_initializers (graph)) + BUFFER_SIZE;
}

static GHashTable *
index_weights (DynoGraph *graph)
{
  GPtrArray *weights = dyno_graph_get_initializers (graph);
  GHashTable *addresses = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < weights->len; i++)
    g_hash_table_add (addresses, weights->pdata[i]);
  return addresses;
}

typedef struct
{
  ProtobufCBuffer base;
  GHashTable *weights;
  GChecksum *checksum;
} Digest;

static void
digest_weight (GChecksum *checksum, const DynoWeight *weight)
{
  if (weight->tensor == NULL)
    {
      g_checksum_update (checksum, (const guchar *)&weight->mean, sizeof weight->mean);
      g_checksum_update (checksum, (const guchar *)&weight->deviation, sizeof weight->deviation);
      return;
    }
  g_checksum_update (checksum, (const guchar *)&weight->is_turned, sizeof weight->is_turned);
  g_checksum_update (checksum, (const guchar *)weight->tensor->name, -1);
  if (weight->tensor->packed != NULL)
    g_checksum_update (checksum, (const guchar *)&weight->tensor->packed->format,
                       sizeof weight->tensor->packed->format);
}

static void
digest_append (ProtobufCBuffer *buffer, size_t size, const uint8_t *data)
{
  Digest *self = (Digest *)buffer;
  const DynoWeight *weight = (const DynoWeight *)data;
  const guint64 version = DYNO_QUANTISER_VERSION;

  if (!g_hash_table_contains (self->weights, data))
    {
      g_checksum_update (self->checksum, data, size);
      return;
    }
  if (weight->source != NULL)
    {
      const DynoQuantisedLayer *layer = weight->layer;

      g_checksum_update (self->checksum, (const guchar *)&version, sizeof version);
      if (weight->quantisation->largest > 0)
        g_checksum_update (self->checksum, (const guchar *)&weight->quantisation->largest,
                           sizeof weight->quantisation->largest);
      if (layer != NULL)
        {
          g_checksum_update (self->checksum, (const guchar *)&layer->input_scale, sizeof layer->input_scale);
          g_checksum_update (self->checksum, (const guchar *)&layer->epsilon, sizeof layer->epsilon);
          if (layer->bias != NULL)
            digest_weight (self->checksum, layer->bias);
          for (guint i = 0; layer->norm[0] != NULL && i < G_N_ELEMENTS (layer->norm); i++)
            digest_weight (self->checksum, layer->norm[i]);
        }
      weight = weight->source;
    }
  digest_weight (self->checksum, weight);
}

char *
dyno_onnx_writer_get_checksum (DynoGraph *graph, guint64 seed, const char *state)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GHashTable) addresses = index_weights (graph);
  Digest digest = { { digest_append }, addresses, checksum };
  const guint64 versions[] = { seed, DYNO_WEIGHTS_VERSION, MAX_INLINE_IN_CACHE };
  Message message;

  message_init (&message, graph, DYNO_ONNX_WRITER_FILE, FALSE);
  g_checksum_update (checksum, (const guchar *)versions, sizeof versions);
  if (state != NULL)
    g_checksum_update (checksum, (const guchar *)state, -1);
  onnx__model_proto__pack_to_buffer (&message.model, &digest.base);
  message_clear (&message);
  return g_strdup (g_checksum_get_string (checksum));
}

static gboolean
write_files (DynoGraph *graph,
             const char *folder,
             const char *name,
             gint64 most_inline,
             guint64 seed,
             GCancellable *cancellable,
             GError **error)
{
  static const guint8 zeros[EXTERNAL_ALIGNMENT];
  GPtrArray *weights = dyno_graph_get_initializers (graph);
  Message message;
  gboolean external;
  gint64 bytes = 0;

  for (guint i = 0; i < weights->len; i++)
    bytes += dyno_shape_bytes (&((const DynoWeight *)weights->pdata[i])->shape);
  external = bytes > most_inline;
  if (external)
    {
      g_autofree char *file = g_strconcat (name, DYNO_ONNX_WRITER_DATA_SUFFIX, NULL);
      Stream stream = { .seed = seed, .cancellable = cancellable };
      gboolean is_open = stream_open (&stream, folder, file, external_size (weights));

      for (guint i = 0; is_open && i < weights->len && stream.error == NULL; i++)
        {
          gint64 size = dyno_shape_bytes (&((const DynoWeight *)weights->pdata[i])->shape);

          append_weight (&stream, weights->pdata[i]);
          append_bytes (&stream, zeros, align (size) - size);
        }
      write_hash (&stream, folder, weights);
      if (!stream_close (&stream, error))
        return FALSE;
    }

  g_autoptr (GHashTable) addresses = index_weights (graph);
  Stream stream = { .seed = seed, .cancellable = cancellable, .weights = addresses };
  message_init (&message, graph, name, external);
  if (stream_open (&stream, folder, name, onnx__model_proto__get_packed_size (&message.model)))
    onnx__model_proto__pack_to_buffer (&message.model, &stream.base);
  message_clear (&message);
  if (!external)
    write_hash (&stream, folder, weights);
  return stream_close (&stream, error);
}

gboolean
dyno_onnx_writer_write_as (DynoGraph *graph,
                           const char *folder,
                           const char *name,
                           guint64 seed,
                           GCancellable *cancellable,
                           GError **error)
{
  return write_files (graph, folder, name, max_inline_bytes, seed, cancellable, error);
}

gboolean
dyno_onnx_writer_write (
    DynoGraph *graph, const char *folder, guint64 seed, GCancellable *cancellable, GError **error)
{
  return write_files (graph, folder, DYNO_ONNX_WRITER_FILE, MIN (max_inline_bytes, MAX_INLINE_IN_CACHE), seed,
                      cancellable, error);
}

void
dyno_onnx_writer_set_inline_limit (gint64 bytes)
{
  max_inline_bytes = bytes;
}
