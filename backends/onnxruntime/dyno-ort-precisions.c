/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-graph.h"
#include "dyno-onnx-writer.h"
#include "dyno-ort-precisions.h"

#define SIZE       16
#define DIMENSIONS "16, 16"

/* One and SIZE as bits. The product of two matrices of ones, which the trial computes, is SIZE all over. */
static const struct
{
  const char *name;
  DynoDataType type;
  guint16 one;
  guint16 size;
} halves[] = {
  { "fp16", DYNO_DATA_TYPE_FLOAT16, 0x3c00, 0x4c00 },
  { "bf16", DYNO_DATA_TYPE_BFLOAT16, 0x3f80, 0x4180 },
};

static gboolean
write_model (const char *folder, DynoDataType type)
{
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  const char *a = dyno_graph_add_input (graph, "a", type, DIMENSIONS);
  const char *b = dyno_graph_add_input (graph, "b", type, DIMENSIONS);

  dyno_graph_add_output (graph, "product", dyno_graph_add (graph, "MatMul", NULL, a, b, NULL), DIMENSIONS);
  return dyno_onnx_writer_write (graph, folder, 1, NULL, NULL);
}

static DynoTensor *
create_ones (const char *name, DynoDataType type, guint16 one)
{
  DynoShape shape = { type, 2, { SIZE, SIZE } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);

  for (guint i = 0; i < SIZE * SIZE; i++)
    ((guint16 *)dyno_tensor_get_data (tensor))[i] = one;
  return tensor;
}

static gboolean
has_product (DynoSession *session, guint16 expected)
{
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (session, NULL);
  const guint16 *numbers;

  if (outputs == NULL || outputs->len != 1 ||
      dyno_tensor_get_size (outputs->pdata[0]) != SIZE * SIZE * sizeof (guint16))
    return FALSE;
  numbers = dyno_tensor_get_data (outputs->pdata[0]);
  for (guint i = 0; i < SIZE * SIZE; i++)
    if (numbers[i] != expected)
      return FALSE;
  return TRUE;
}

/* An engine may convert to another precision, or leave the work to another device; neither counts. */
static gboolean
ran_as_asked (DynoSession *session, DynoDataType type)
{
  g_autoptr (GPtrArray) nodes = dyno_session_end_profile (session, NULL);

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      if (g_str_equal (node->op_type, "MatMul") && node->inputs->len > 0 &&
          g_array_index (node->inputs, DynoShape, 0).type == type &&
          g_strcmp0 (node->provider, dyno_session_get_provider (session)) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
try_model (DynoBackend *backend, const char *device, const char *path, guint half)
{
  DynoSessionOptions options = { .device = device, .threads = 1, .profile = TRUE };
  g_autoptr (DynoSession) session = dyno_backend_open (backend, path, &options, NULL);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  g_ptr_array_add (tensors, create_ones ("a", halves[half].type, halves[half].one));
  g_ptr_array_add (tensors, create_ones ("b", halves[half].type, halves[half].one));
  return session != NULL && dyno_session_set_inputs (session, 0, tensors, NULL) &&
         dyno_session_run (session, NULL) && has_product (session, halves[half].size) &&
         ran_as_asked (session, halves[half].type);
}

static gboolean
try_half (DynoBackend *backend, const char *device, guint half)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-precision-XXXXXX", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL) : NULL;
  g_autofree char *data = folder != NULL ? g_build_filename (folder, DYNO_ONNX_WRITER_DATA, NULL) : NULL;
  gboolean ok;

  if (folder == NULL)
    return FALSE;
  ok = write_model (folder, halves[half].type) && try_model (backend, device, path, half);
  g_unlink (path);
  g_unlink (data);
  g_rmdir (folder);
  return ok;
}

/**
 * dyno_ort_precisions_are_known:
 * @precision: what a model computes in
 *
 * Returns: whether there is such a precision; whether a device has it is another matter
 */
gboolean
dyno_ort_precisions_are_known (const char *precision)
{
  static const char *const known[] = { "fp32", "fp16", "bf16", "int8", NULL };

  return g_strv_contains (known, precision);
}

/**
 * dyno_ort_precisions_try:
 * @backend: a backend that can open models
 * @device: the id of one of its devices
 *
 * Lets the device multiply two small matrices in each of the half precisions. One counts if the product is right, and
 * the trace says that the device computed it and in that precision. Single precision everything has that runs models.
 * Blocks.
 *
 * Returns: (transfer full) (array zero-terminated=1): what the device computes in
 */
char **
dyno_ort_precisions_try (DynoBackend *backend, const char *device)
{
  g_autoptr (GStrvBuilder) precisions = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  g_strv_builder_add (precisions, "fp32");
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    if (try_half (backend, device, i))
      g_strv_builder_add (precisions, halves[i].name);
  return g_strv_builder_end (precisions);
}

/**
 * dyno_ort_precisions_describe:
 * @backend: a backend that can open models
 * @device: one of its devices
 *
 * Returns: (transfer full): the same device, and what it computes in, tried out
 */
DynoDevice *
dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device)
{
  const char *id = dyno_device_get_id (device);
  g_auto (GStrv) precisions = dyno_ort_precisions_try (backend, id);
  DynoDevice *described = dyno_device_new (id, dyno_device_get_name (device), dyno_device_get_driver (device),
                                           dyno_device_get_memory (device), (const char *const *)precisions);

  dyno_device_set_kind (described, dyno_device_get_kind (device));
  dyno_device_set_address (described, dyno_device_get_address (device));
  return described;
}
