/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-step-work.h"

#define FLOPS_SOURCE "operators' rules on actual shapes, 2 per multiply-add"
#define BYTES_SOURCE "size of operands and results as executed: a model of traffic, not a counter"
#define FROM_CPU     " (by the CPU backend, on the same model)"

#define GRAPH_FLOPS_SOURCE                                                                                   \
  "operators' rules on the shapes of Dyno's own graph, 2 per multiply-add: the engine reports no shapes"
#define GRAPH_BYTES_SOURCE                                                                                   \
  "size of operands and results of the matrix products and convolutions of Dyno's own graph, others not "    \
  "counted: a model of traffic, not a counter; the engine reports no shapes"

#define FILE_BYTES_SOURCE                                                                                    \
  "size of operands and results of the matrix products and convolutions of the graph in the file, others "   \
  "not counted: a model of traffic, not a counter; the engine reports no shapes of what it fuses"

#define HEADER_FLOPS_SOURCE                                                                                  \
  "2 for each weight that a token is multiplied with, by the header of the GGUF file, and for each product " \
  "of attention: the engine reports no shapes"
#define HEADER_BYTES_SOURCE                                                                                  \
  "size of the weights that a step reads, by the header of the GGUF file, and of the keys and values in "    \
  "the cache: a model of traffic, not a counter; the engine reports no shapes"

gboolean
dyno_step_work_has_shapes (const DynoNodeProfile *node)
{
  return node->inputs != NULL && node->outputs != NULL && node->outputs->len > 0;
}

DynoNodeShapes
dyno_step_work_get_shapes (DynoMeasurement *measurement, const DynoNodeProfile *node)
{
  return (DynoNodeShapes){
    .op_type = node->op_type,
    .inputs = node->inputs,
    .outputs = node->outputs,
    .kernel_elements = dyno_model_get_window_elements (measurement->model, node->name),
    .equation = dyno_model_get_equation (measurement->model, node->name),
  };
}

double
dyno_step_work_count_flops (DynoMeasurement *measurement,
                            const DynoStepAnalysis *analysis,
                            GHashTable *unknown)
{
  double total = 0;

  if (analysis->shapes == NULL)
    return analysis->graph_flops > 0 ? analysis->graph_flops * measurement->n_requests : NAN;
  for (guint i = 0; i < analysis->shapes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (analysis->shapes, i);
      DynoNodeShapes shapes = dyno_step_work_get_shapes (measurement, node);
      gint64 flops;

      if (dyno_operator_cost_flops (&shapes, &flops))
        total += (double)flops * (double)node->calls;
      else
        g_hash_table_add (unknown, node->op_type);
    }
  return total * measurement->n_requests;
}

/* Engines combine names, such as FusedMatMul or MatMulNBits. */
static gboolean
is_product (const char *op_type)
{
  static const char *const words[] = { "MatMul", "Gemm", "FullyConnected", "Conv" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (op_type, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* The operators of an optimised graph are those that move data; of another graph, only products count, which no engine
 * leaves out. */
double
dyno_step_work_count_bytes (DynoMeasurement *measurement, const DynoStepAnalysis *analysis, double *products)
{
  GPtrArray *nodes =
      analysis->traffic != NULL || analysis->shapes_from_cpu ? analysis->traffic : analysis->shapes;
  double sums[2] = { 0 };
  double scale =
      (double)measurement->n_requests / (analysis->traffic != NULL ? MAX (analysis->traffic_steps, 1) : 1);

  if (nodes == NULL)
    {
      double bytes = analysis->graph_product_bytes * measurement->n_requests;

      if (products != NULL)
        *products = bytes;
      return bytes > 0 ? bytes : NAN;
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (nodes, i);
      DynoNodeShapes shapes = dyno_step_work_get_shapes (measurement, node);

      if (dyno_step_work_has_shapes (node))
        sums[is_product (node->op_type)] +=
            (double)dyno_operator_cost_bytes (&shapes) * (double)node->calls * scale;
    }
  if (products != NULL)
    *products = sums[TRUE];
  if (analysis->traffic == NULL)
    return sums[TRUE] > 0 ? sums[TRUE] : NAN;
  return sums[FALSE] + sums[TRUE];
}

gboolean
dyno_step_work_sum_times (const DynoStepAnalysis *analysis, double *products_ms, double *others_ms)
{
  double sums[2] = { 0 };

  for (guint i = 0; analysis->profile != NULL && i < analysis->profile->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (analysis->profile, i);

      if (node->time_ns < 0)
        return FALSE;
      sums[is_product (node->op_type)] += (double)node->time_ns / 1e6 / analysis->profile_steps;
    }
  *products_ms = sums[TRUE];
  *others_ms = sums[FALSE];
  return sums[TRUE] + sums[FALSE] > 0;
}

const char *
dyno_step_work_get_flops_source (const DynoStepAnalysis *analysis)
{
  if (analysis->shapes == NULL)
    return analysis->is_of_header ? HEADER_FLOPS_SOURCE : GRAPH_FLOPS_SOURCE;
  return analysis->shapes_from_cpu ? FLOPS_SOURCE FROM_CPU : FLOPS_SOURCE;
}

const char *
dyno_step_work_get_bytes_source (const DynoStepAnalysis *analysis)
{
  if (analysis->traffic == NULL && analysis->shapes != NULL && !analysis->shapes_from_cpu)
    return FILE_BYTES_SOURCE;
  if (analysis->traffic == NULL)
    return analysis->is_of_header ? HEADER_BYTES_SOURCE : GRAPH_BYTES_SOURCE;
  return analysis->traffic_from_cpu ? BYTES_SOURCE FROM_CPU : BYTES_SOURCE;
}
