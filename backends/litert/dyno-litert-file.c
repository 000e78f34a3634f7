/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-litert-private.h"
#include "dyno-precision.h"
#include "dyno-text.h"

/* The most graphs, inputs and outputs that are read. */
#define MAX_PARTS 10000

/* A type with a smaller share is left out of the mix. */
#define LEAST_SHARE 0.005

#define GATHER_CODE           36
#define EMBEDDING_LOOKUP_CODE 7

/* The operators whose products have weights, and the operand that is their bias. */
static const struct
{
  int code;
  gsize bias;
} products[] = {
  { 3, 2 },  /* CONV_2D */
  { 4, 2 },  /* DEPTHWISE_CONV_2D */
  { 9, 2 },  /* FULLY_CONNECTED */
  { 67, 3 }, /* TRANSPOSE_CONV */
};

/* A file whose weights are being counted. */
typedef struct
{
  const LiteRtFile *file;
  DynoModelDescription *description;
  GHashTable *buffers;                      /* numbers of those that were counted */
  gint64 elements[DYNO_DATA_TYPE_INT2 + 1]; /* of weights, by type */
  gint64 whole_products;                    /* weights that are multiplied with whole numbers, */
  gint64 real_products;                     /* or with real ones */
  gboolean is_possible;
} Counting;

void
dyno_litert_file_free (LiteRtFile *self)
{
  if (self->model != NULL)
    self->api->LiteRtDestroyModel (self->model);
  g_clear_pointer (&self->contents, g_mapped_file_unref);
  g_free (self);
}

/* LiteRT checks a FlatBuffer in memory before it follows a pointer in it, but not one that it opens itself. */
LiteRtFile *
dyno_litert_file_open (DynoLitertLibrary *library, int accelerator, const char *path, GError **error)
{
  g_autoptr (LiteRtFile) self = g_new0 (LiteRtFile, 1);
  g_autoptr (GError) problem = NULL;
  LiteRtStatus status;

  self->library = library;
  self->api = dyno_litert_library_get_api (library);
  self->environment = dyno_litert_library_get_environment (library, accelerator, error);
  if (self->environment == NULL)
    return NULL;
  self->contents = g_mapped_file_new (path, FALSE, &problem);
  if (self->contents == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("“%s” could not be read: %s."), path,
                   problem->message);
      return NULL;
    }
  status =
      self->api->LiteRtCreateModelFromBuffer (self->environment, g_mapped_file_get_contents (self->contents),
                                              g_mapped_file_get_length (self->contents), &self->model);
  if (status != LITERT_OK)
    {
      g_set_error (
          error, DYNO_ERROR,
          status == LITERT_OUT_OF_MEMORY ? DYNO_ERROR_OUT_OF_MEMORY : DYNO_ERROR_INVALID_DATA,
          _ ("LiteRT cannot read “%s” (its error %d): it is damaged, or no model. Download or export it "
             "again."),
          path, status);
      return NULL;
    }
  if (self->api->LiteRtGetModelSignature (self->model, 0, &self->signature) != LITERT_OK ||
      self->api->LiteRtGetSignatureSubgraph (self->signature, &self->graph) != LITERT_OK ||
      self->graph == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” holds no graph."), path);
      return NULL;
    }
  return g_steal_pointer (&self);
}

LiteRtTensor *
dyno_litert_file_get_port (const LiteRtFile *self, gboolean is_input, gsize index, const char **name)
{
  const LiteRtApi *api = self->api;
  LiteRtTensor *tensor = NULL;

  *name = NULL;
  (is_input ? api->LiteRtGetSignatureInputName : api->LiteRtGetSignatureOutputName) (self->signature, index,
                                                                                     name);
  (is_input ? api->LiteRtGetSignatureInputTensorByIndex
            : api->LiteRtGetSignatureOutputTensorByIndex) (self->signature, index, &tensor);
  return tensor;
}

/* Names stand in answers in JSON and lead to inputs, so they are taken as they are or not at all. */
static DynoTensorInfo *
read_info (const LiteRtFile *file, LiteRtTensor *tensor, const char *name, const char *path, GError **error)
{
  g_autoptr (DynoTensorInfo) info = NULL;
  DynoShape shape;
  gboolean has_shape = dyno_litert_get_shape (file->api, tensor, &shape);

  if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL) ||
      g_utf8_strlen (name, -1) > DYNO_PLAIN_TEXT_NAME)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” has an input or output whose name cannot be read."), path);
      return NULL;
    }
  if (!has_shape || !dyno_data_type_is_number (shape.type))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("“%s” has an input or output (“%s”) that is no tensor of numbers with a shape. Dyno cannot "
             "measure such a model."),
          path, name);
      return NULL;
    }
  info = dyno_tensor_info_new (name, shape.type);
  for (guint axis = 0; axis < shape.rank; axis++)
    {
      g_autofree char *symbol = axis == 0 ? g_strdup ("batch") : g_strdup_printf ("%s_%u", name, axis);

      if (shape.dims[axis] < 0)
        dyno_tensor_info_add_symbol (info, symbol);
      else
        dyno_tensor_info_add_size (info, shape.dims[axis]);
    }
  return g_steal_pointer (&info);
}

static gboolean
read_signature (const LiteRtFile *file, DynoModelDescription *description, const char *path, GError **error)
{
  const LiteRtApi *api = file->api;
  gsize n_inputs = 0, n_outputs = 0;

  api->LiteRtGetNumSignatureInputs (file->signature, &n_inputs);
  api->LiteRtGetNumSignatureOutputs (file->signature, &n_outputs);
  for (gsize i = 0; i < MIN (n_inputs, MAX_PARTS) + MIN (n_outputs, MAX_PARTS); i++)
    {
      gboolean is_input = i < n_inputs;
      gsize index = is_input ? i : i - n_inputs;
      const char *name;
      LiteRtTensor *tensor = dyno_litert_file_get_port (file, is_input, index, &name);
      DynoTensorInfo *info = read_info (file, tensor, name, path, error);

      if (info == NULL)
        return FALSE;
      g_ptr_array_add (is_input ? description->inputs : description->outputs, info);
    }
  return TRUE;
}

/* Each constant counts once, whichever operators share it. Whole numbers of 32 bits and more are sizes and axes, unless they
 * are the bias of a product. */
static void
count_constant (Counting *self, LiteRtTensor *tensor, gboolean is_bias)
{
  DynoModelDescription *description = self->description;
  DynoShape shape = { 0 };
  gint32 buffer;
  gsize size = dyno_litert_get_constant (self->file->api, tensor, &buffer);
  gint64 count =
      size > 0 && dyno_litert_get_shape (self->file->api, tensor, &shape) ? dyno_shape_count (&shape) : 0;
  gboolean is_size;

  if (size == 0 || g_hash_table_contains (self->buffers, GINT_TO_POINTER (buffer)))
    return;
  g_hash_table_add (self->buffers, GINT_TO_POINTER (buffer));
  is_size = !is_bias && (shape.type == DYNO_DATA_TYPE_INT32 || shape.type == DYNO_DATA_TYPE_INT64 ||
                         shape.type == DYNO_DATA_TYPE_BOOL || shape.type == DYNO_DATA_TYPE_UNDEFINED);
  if (count < 0 || size > G_MAXINT64 ||
      __builtin_add_overflow (description->weight_bytes, (gint64)size, &description->weight_bytes) ||
      __builtin_add_overflow (description->parameter_count, is_size ? 0 : count,
                              &description->parameter_count))
    self->is_possible = FALSE;
  else if (!is_size && shape.type < G_N_ELEMENTS (self->elements))
    self->elements[shape.type] += count;
}

/* Looks at which numbers meet the weights of a product. */
static void
count_product (Counting *self, LiteRtTensor *data, LiteRtTensor *weight)
{
  DynoShape of_data, of_weight;
  gint64 count;

  if (!dyno_litert_get_shape (self->file->api, data, &of_data) ||
      !dyno_litert_get_shape (self->file->api, weight, &of_weight))
    return;
  count = CLAMP (dyno_shape_count (&of_weight), 0, G_MAXINT32);
  if (of_data.type == DYNO_DATA_TYPE_FLOAT || of_data.type == DYNO_DATA_TYPE_FLOAT16)
    self->real_products += of_weight.type != of_data.type ? count : 0;
  else
    self->whole_products += count;
}

/* A looked-up table limits the numbers that look it up. */
static void
limit_indices (Counting *self, LiteRtOp *op, LiteRtTensor *const *operands, gsize table)
{
  const LiteRtApi *api = self->file->api;
  gint32 axis = 0;
  DynoShape shape = { 0 };

  if (table == 0 && api->LiteRtGetGatherAxisOption (op, &axis) != LITERT_OK)
    return;
  for (guint i = 0; i < self->description->inputs->len; i++)
    {
      LiteRtTensor *input = NULL;

      if (api->LiteRtGetSignatureInputTensorByIndex (self->file->signature, i, &input) == LITERT_OK &&
          input == operands[1 - table] && dyno_litert_get_shape (api, operands[table], &shape) && axis >= 0 &&
          (guint)axis < shape.rank && shape.dims[axis] > 0)
        dyno_model_description_limit (self->description,
                                      dyno_tensor_info_get_name (self->description->inputs->pdata[i]),
                                      shape.dims[axis]);
    }
}

static void
count_operator (Counting *self, LiteRtOp *op)
{
  const LiteRtApi *api = self->file->api;
  LiteRtTensor *operands[4] = { NULL };
  gsize n = 0, bias = 0;
  int code = -1;

  api->LiteRtGetOpCode (op, &code);
  api->LiteRtGetNumOpInputs (op, &n);
  for (gsize i = 0; i < G_N_ELEMENTS (products); i++)
    if (products[i].code == code)
      bias = products[i].bias;
  for (gsize i = 0; i < MIN (n, MAX_PARTS); i++)
    {
      LiteRtTensor *tensor = NULL;

      if (api->LiteRtGetOpInput (op, i, &tensor) != LITERT_OK || tensor == NULL)
        continue;
      if (i < G_N_ELEMENTS (operands))
        operands[i] = tensor;
      count_constant (self, tensor, bias > 0 && i == bias);
    }
  if (bias == 2)
    count_product (self, operands[0], operands[1]);
  else if (code == GATHER_CODE || code == EMBEDDING_LOOKUP_CODE)
    limit_indices (self, op, operands, code == GATHER_CODE ? 0 : 1);
}

static void
count_graphs (Counting *self)
{
  const LiteRtApi *api = self->file->api;
  gsize n_graphs = 0;

  api->LiteRtGetNumModelSubgraphs (self->file->model, &n_graphs);
  for (gsize i = 0; i < MIN (n_graphs, MAX_PARTS); i++)
    {
      LiteRtSubgraph *graph = NULL;
      gsize n = 0;

      if (api->LiteRtGetModelSubgraph (self->file->model, i, &graph) != LITERT_OK || graph == NULL)
        continue;
      api->LiteRtGetNumSubgraphOps (graph, &n);
      for (gsize k = 0; k < n; k++)
        {
          LiteRtOp *op = NULL;

          if (api->LiteRtGetSubgraphOp (graph, k, &op) == LITERT_OK && op != NULL)
            count_operator (self, op);
        }
    }
}

/* Returns the precision of quantised weights of that type; NULL if they are none. Weights of 8 bits that meet real numbers
 * are multiplied after those are rounded in each step. */
static const char *
get_quantisation (const Counting *self, guint type)
{
  static const char *const precisions[] = {
    [DYNO_DATA_TYPE_UINT8] = "uint8", [DYNO_DATA_TYPE_INT8] = "int8", [DYNO_DATA_TYPE_INT16] = "int16",
    [DYNO_DATA_TYPE_INT4] = "int4",   [DYNO_DATA_TYPE_INT2] = "int2",
  };

  if (type == DYNO_DATA_TYPE_INT8 && self->whole_products == 0)
    return self->real_products > 0 ? "int8-dynamic" : "int8-weights";
  return type < G_N_ELEMENTS (precisions) ? precisions[type] : NULL;
}

/* The type of most weights is the precision of the model. */
static void
sum_up_types (const Counting *self)
{
  DynoModelDescription *description = self->description;
  g_autoptr (GString) mix = g_string_new (NULL);
  guint most = 0;

  for (guint type = 0; type < G_N_ELEMENTS (self->elements); type++)
    {
      double share = (double)self->elements[type] / MAX ((double)description->parameter_count, 1);

      if (self->elements[type] > self->elements[most])
        most = type;
      if (share >= LEAST_SHARE)
        g_string_append_printf (mix, "%s%s %.0f %%", mix->len > 0 ? ", " : "",
                                dyno_data_type_to_string ((DynoDataType)type), 100 * share);
    }
  if (self->elements[most] > 0)
    description->quantisation = g_intern_string (get_quantisation (self, most));
  if (description->quantisation == NULL && dyno_precision_from_type ((DynoDataType)most) != NULL)
    description->real_type = (DynoDataType)most;
  description->weight_mix = g_string_free (g_steal_pointer (&mix), FALSE);
}

DynoModelDescription *
dyno_litert_file_describe (const char *path, GError **error)
{
  DynoLitertLibrary *library = dyno_engine_library_find (DYNO_TYPE_LITERT_LIBRARY, error);
  g_autoptr (LiteRtFile) file =
      library != NULL ? dyno_litert_file_open (library, LITERT_ACCELERATOR_CPU, path, error) : NULL;
  g_autoptr (DynoModelDescription) description = dyno_model_description_new ();
  g_autoptr (GHashTable) buffers = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) nodes = NULL;
  Counting counting = { file, description, buffers, .is_possible = TRUE };

  if (file == NULL || !read_signature (file, description, path, error))
    return NULL;
  count_graphs (&counting);
  if (!counting.is_possible)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("The sizes of tensors in “%s” are not possible."), path);
      return NULL;
    }
  sum_up_types (&counting);
  nodes = dyno_litert_graph_list_nodes (file, file->graph, 1, NULL);
  for (guint i = 0; i < nodes->len; i++)
    dyno_model_description_add_operator (description, NULL,
                                         ((const DynoNodeProfile *)nodes->pdata[i])->op_type);
  dyno_litert_graph_add_windows (file, description);
  description->architecture = g_strdup (DYNO_LITERT_FORMAT);
  return g_steal_pointer (&description);
}
