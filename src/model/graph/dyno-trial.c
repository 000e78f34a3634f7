/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-graph.h"
#include "dyno-onnx-writer.h"
#include "dyno-precision.h"
#include "dyno-trial.h"

/* softmax (left · right / 16) of numbers that are exact in every precision. */
#define ROWS    2
#define DEPTH   8
#define COLUMNS 4
#define LEFT    "2, 8"
#define RIGHT   "8, 4"
#define RESULT  "2, 4"
#define SCALE   (1 / 16.0f)

/* Slightly more than the step of bfloat16 below 1; the results range from 0.1 to 0.5. */
#define TOLERANCE 0.01

static const char *const precisions[] = { "fp32", "fp16", "bf16", "int8", NULL };

static double
left_at (guint row, guint k)
{
  return (3 * row + 5 * k) % 7;
}

static double
right_at (guint k, guint column)
{
  return (double)((2 * k + 3 * column) % 5) - 2;
}

static double
weight_at (guint row, guint column)
{
  double sum = 0;

  for (guint k = 0; k < DEPTH; k++)
    sum += left_at (row, k) * right_at (k, column);
  return exp (sum * (double)SCALE);
}

const char *const *
dyno_trial_list (void)
{
  return precisions;
}

static char *
write_graph (DynoGraph *graph, const char *folder, GError **error)
{
  if (!dyno_graph_check (graph, error) || !dyno_onnx_writer_write (graph, folder, 0, NULL, error))
    return NULL;
  return g_build_filename (folder, DYNO_ONNX_WRITER_FILE, NULL);
}

char *
dyno_trial_write (const char *precision, const char *folder, GError **error)
{
  DynoDataType type = dyno_precision_get_type (precision);
  gboolean is_whole = dyno_precision_get_quantisation (precision) != NULL;
  g_autoptr (DynoGraph) graph = NULL;
  const char *left, *right, *value;

  g_return_val_if_fail (g_strv_contains (precisions, precision), NULL);

  graph = dyno_graph_new (NULL);
  if (!is_whole)
    dyno_graph_set_real_type (graph, type);
  left = dyno_graph_add_input (graph, "left", is_whole ? DYNO_DATA_TYPE_UINT8 : type, LEFT);
  right = dyno_graph_add_input (graph, "right", is_whole ? DYNO_DATA_TYPE_INT8 : type, RIGHT);
  value = dyno_graph_add (graph, is_whole ? "MatMulInteger" : "MatMul", NULL, left, right, NULL);
  if (is_whole)
    value = dyno_graph_add (graph, "Cast", "to=1", value, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, SCALE), NULL);
  value = dyno_graph_add (graph, "Softmax", "axis=-1", value, NULL);
  dyno_graph_add_output (graph, "shares", value, RESULT);
  return write_graph (graph, folder, error);
}

/* One head, one token and one before it. */
char *
dyno_trial_write_attention (const char *precision, const char *folder, GError **error)
{
  static const char *const names[] = { "query", "key", "value", "past_key", "past_value" };
  DynoDataType type = dyno_precision_get_type (precision);
  g_autoptr (DynoGraph) graph = NULL;
  const char *inputs[7];
  const char *attended, *key, *value;

  g_return_val_if_fail (type != DYNO_DATA_TYPE_UNDEFINED, NULL);

  graph = dyno_graph_new (NULL);
  dyno_graph_set_real_type (graph, type);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    inputs[i] = dyno_graph_add_input (graph, names[i], type, i < 3 ? "1, 1, 16" : "1, 1, 1, 16");
  inputs[5] = dyno_graph_add_input (graph, "length", DYNO_DATA_TYPE_INT32, "1");
  inputs[6] = dyno_graph_add_input (graph, "total", DYNO_DATA_TYPE_INT32, "1");
  attended = dyno_graph_add_cached_attention (graph, "num_heads=1 kv_num_heads=1", G_N_ELEMENTS (inputs),
                                              inputs, &key, &value);
  dyno_graph_add_output (graph, "attended", attended, "1, 1, 16");
  dyno_graph_add_output (graph, "present_key", key, "1, 1, 2, 16");
  dyno_graph_add_output (graph, "present_value", value, "1, 1, 2, 16");
  return write_graph (graph, folder, error);
}

static DynoTensor *
create_input (
    const char *name, DynoDataType type, guint rows, guint columns, double (*at) (guint row, guint column))
{
  const DynoShape shape = { type, 2, { rows, columns } };
  DynoTensor *tensor = dyno_tensor_new (name, &shape);
  gpointer data = dyno_tensor_get_data (tensor);

  for (guint i = 0; i < rows * columns; i++)
    {
      double value = at (i / columns, i % columns);

      if (type == DYNO_DATA_TYPE_FLOAT)
        ((float *)data)[i] = (float)value;
      else if (type == DYNO_DATA_TYPE_FLOAT16)
        ((guint16 *)data)[i] = dyno_float16_from_float ((float)value);
      else if (type == DYNO_DATA_TYPE_BFLOAT16)
        ((guint16 *)data)[i] = dyno_float16_bfloat_from_float ((float)value);
      else
        ((gint8 *)data)[i] = (gint8)value;
    }
  return tensor;
}

GPtrArray *
dyno_trial_create_inputs (const char *precision)
{
  DynoDataType type = dyno_precision_get_type (precision);
  gboolean is_whole = dyno_precision_get_quantisation (precision) != NULL;
  GPtrArray *inputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  g_ptr_array_add (inputs,
                   create_input ("left", is_whole ? DYNO_DATA_TYPE_UINT8 : type, ROWS, DEPTH, left_at));
  g_ptr_array_add (inputs,
                   create_input ("right", is_whole ? DYNO_DATA_TYPE_INT8 : type, DEPTH, COLUMNS, right_at));
  return inputs;
}

gboolean
dyno_trial_check_outputs (GPtrArray *outputs, GError **error)
{
  DynoTensor *tensor = outputs->len == 1 ? outputs->pdata[0] : NULL;

  if (tensor == NULL || !dyno_tensor_is_real (tensor) ||
      dyno_shape_count (dyno_tensor_get_shape (tensor)) != ROWS * COLUMNS)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                           _ ("The trial’s output has the wrong shape."));
      return FALSE;
    }
  for (guint i = 0; i < ROWS * COLUMNS; i++)
    {
      double total = 0, expected;

      for (guint column = 0; column < COLUMNS; column++)
        total += weight_at (i / COLUMNS, column);
      expected = weight_at (i / COLUMNS, i % COLUMNS) / total;

      if (fabs (dyno_tensor_get_number (tensor, i) - expected) <= TOLERANCE)
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                   _ ("The trial’s output holds %g where it should be %g."),
                   dyno_tensor_get_number (tensor, i), expected);
      return FALSE;
    }
  return TRUE;
}
