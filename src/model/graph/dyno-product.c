/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-graph-private.h"

/* Uses the operators that exporters write and engines fuse. */
static const char *
add_dynamic (DynoGraph *graph, const char *value, DynoWeight *weight)
{
  gint64 n_columns = weight->shape.dims[weight->is_by_rows ? 0 : 1];
  gint64 depth = weight->shape.dims[weight->is_by_rows ? 1 : 0];
  const DynoShape quants = { DYNO_DATA_TYPE_INT8, 2, { depth, n_columns } };
  const DynoShape column_scales = { DYNO_DATA_TYPE_FLOAT, 1, { n_columns } };
  const char *scale, *zero_point, *scales;

  if (weight->quants == NULL)
    {
      weight->quants = dyno_graph_add_part (graph, weight, ".quants", &quants);
      weight->scales = dyno_graph_add_part (graph, weight, ".scales", &column_scales);
    }
  value = dyno_graph_add_dynamic_quantisation (graph, value, &scale, &zero_point);
  value = dyno_graph_add (graph, "MatMulInteger", NULL, value, weight->quants->name, zero_point, NULL);
  value = dyno_graph_add (graph, "Cast", "to=1", value, NULL);
  scales = dyno_graph_add (graph, "Mul", NULL, scale, weight->scales->name, NULL);
  return dyno_graph_add (graph, "Mul", NULL, value, scales, NULL);
}

/* Weights for MatMulNBits: column by column, in blocks with one scale each; the last block is padded. Zero points are
 * nibbles, those of a column in whole bytes. MatMulBnb4 takes the same in one dimension, with levels in place of steps. */
static const char *
add_quantised (DynoGraph *graph, const char *value, DynoWeight *weight)
{
  const DynoQuantisation *quantisation = dyno_graph_get_quantisation (graph);
  gboolean is_normal = quantisation->is_normal;
  gint64 n_columns = weight->shape.dims[weight->is_by_rows ? 0 : 1];
  gint64 depth = weight->shape.dims[weight->is_by_rows ? 1 : 0];
  gint64 n_blocks = (depth + quantisation->block - 1) / quantisation->block;
  gint64 bytes = quantisation->block * quantisation->bits / 8;
  const DynoShape quants = { DYNO_DATA_TYPE_UINT8, 3, { n_columns, n_blocks, bytes } };
  const DynoShape levels = { DYNO_DATA_TYPE_UINT8, 1, { n_columns * n_blocks * bytes } };
  const DynoShape scales = { DYNO_DATA_TYPE_FLOAT, 1, { n_columns * n_blocks } };
  const DynoShape zeros = { DYNO_DATA_TYPE_UINT8, 1, { n_columns * ((n_blocks + 1) / 2) } };
  g_autofree char *attributes = g_strdup_printf (
      "K=%" G_GINT64_FORMAT " N=%" G_GINT64_FORMAT " %s=%u block_size=%u", depth, n_columns,
      is_normal ? "quant_type" : "bits", is_normal ? 1 : quantisation->bits, quantisation->block);

  if (weight->quants == NULL)
    {
      weight->quants = dyno_graph_add_part (graph, weight, ".quants", is_normal ? &levels : &quants);
      weight->scales = dyno_graph_add_part (graph, weight, ".scales", &scales);
      if (dyno_graph_has_zero_points (graph) && !is_normal)
        weight->zeros = dyno_graph_add_part (graph, weight, ".zeros", &zeros);
    }
  return dyno_graph_add (graph, is_normal ? "MatMulBnb4" : "MatMulNBits", attributes, value,
                         weight->quants->name, weight->scales->name,
                         weight->zeros != NULL ? weight->zeros->name : NULL, NULL);
}

const char *
dyno_product_add (DynoGraph *graph, const char *value, const char *weight, gboolean is_transposed)
{
  const DynoQuantisation *quantisation = dyno_graph_get_quantisation (graph);
  /* Those that are quantised by ranges are found when the graph is whole. */
  DynoWeight *known =
      quantisation != NULL && !quantisation->is_static ? dyno_graph_find_weight (graph, weight) : NULL;

  /* Blocks of NF4 would go on in the next column, so columns of other lengths stay as they are. */
  if (known != NULL && quantisation->is_normal &&
      known->shape.dims[is_transposed ? 1 : 0] % quantisation->block != 0)
    known = NULL;
  if (known != NULL && (known->quants == NULL || known->is_by_rows == is_transposed))
    {
      known->is_by_rows = is_transposed;
      return quantisation->is_dynamic ? add_dynamic (graph, value, known)
                                      : add_quantised (graph, value, known);
    }
  if (is_transposed)
    weight = dyno_graph_add (graph, "Transpose", "perm=[1,0]", weight, NULL);
  return dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL);
}
