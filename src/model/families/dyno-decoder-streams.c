/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-decoder.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

/* The parts of Gemma 3n, Google 2025; Gemma 4 has the last one. Several streams of each token, one of which
 * a layer updates while it predicts the others (AltUp, Baykal et al. 2023), residuals of low rank (LAuReL,
 * Menghani et al. 2024), and an embedding for each layer. */

/* The least mean square of a stream, which is not in the config. */
#define LEAST_SQUARE 1e-5f

void
dyno_decoder_embed_layers (DynoDecoding *self, const char *ids, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  gint64 width = decoder->extra_width;
  const gint64 layers[] = { 0, 0, decoder->n_layers, width };
  DynoGraph *graph = self->graph;
  const char *is_known, *own;

  if (decoder->extra_rows < decoder->vocabulary)
    {
      /* Tokens that are not in the table have the first row. */
      dyno_graph_push_scope (graph, "model.embed_tokens_per_layer");
      is_known =
          dyno_graph_add (graph, "Greater", NULL, dyno_graph_add_int (graph, decoder->extra_rows), ids, NULL);
      ids = dyno_graph_add (graph, "Where", NULL, is_known, ids, dyno_graph_add_int (graph, 0), NULL);
      dyno_graph_pop_scope (graph);
    }
  own = dyno_layers_embedding (graph, "model.embed_tokens_per_layer", ids, decoder->extra_rows,
                               decoder->n_layers * width);
  dyno_graph_push_scope (graph, "model.embed_tokens_per_layer");
  own = dyno_decoder_scale (graph, own, sqrt ((double)width));
  dyno_graph_pop_scope (graph);

  value =
      dyno_layers_linear (graph, "model.per_layer_model_projection", value, decoder->n_layers * width, FALSE);
  dyno_graph_push_scope (graph, "model.per_layer_model_projection");
  value = dyno_decoder_scale (graph, value, 1 / sqrt ((double)decoder->width));
  value = dyno_layers_reshape (graph, value, 4, layers);
  dyno_graph_pop_scope (graph);
  value = dyno_layers_rms_norm (graph, "model.per_layer_projection_norm", value, decoder->epsilon);
  dyno_graph_push_scope (graph, "model.per_layer_projection_norm");
  value = dyno_graph_add (graph, "Add", NULL, value, dyno_layers_reshape (graph, own, 4, layers), NULL);
  self->extra = dyno_decoder_scale (graph, value, sqrt (0.5));
  dyno_graph_pop_scope (graph);
}

const char *
dyno_decoder_add_extra (const DynoDecoding *self, guint layer, const char *value)
{
  const DynoDecoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *own =
      dyno_graph_add (graph, "Gather", "axis=2", self->extra, dyno_graph_add_int (graph, layer), NULL);

  value = dyno_layers_linear (graph, "per_layer_input_gate", value, decoder->extra_width, FALSE);
  value = dyno_layers_activation (graph, decoder->activation, value);
  value = dyno_graph_add (graph, "Mul", NULL, value, own, NULL);
  value = dyno_layers_linear (graph, "per_layer_projection", value, decoder->width, FALSE);
  return dyno_layers_rms_norm (graph, "post_per_layer_input_norm", value, decoder->epsilon);
}

/* The root of the mean square of each token: [batch, sequence, 1] */
static const char *
add_size (DynoGraph *graph, const char *value, gboolean is_limited)
{
  value = dyno_graph_add (graph, "Mul", NULL, value, value, NULL);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", value, NULL);
  if (is_limited)
    value = dyno_graph_add (graph, "Clip", NULL, value, dyno_graph_add_float (graph, LEAST_SQUARE), NULL);
  return dyno_graph_add (graph, "Sqrt", NULL, value, NULL);
}

/* Each stream of the size of the first, in single precision: [batch, sequence, 1, width] */
static void
project_all (const DynoDecoding *self, const char *name, const char *const *streams, const char **results)
{
  gint64 width = self->decoder->width;
  const gint64 alone[] = { 0, 0, 1, width };
  DynoGraph *graph = self->graph;
  const char *first, *size;

  dyno_graph_push_scope (graph, "%s", name);
  first = dyno_layers_cast (graph, streams[0], DYNO_DATA_TYPE_FLOAT);
  size = add_size (graph, first, FALSE);
  dyno_graph_pop_scope (graph);
  for (gint64 i = 0; i < self->decoder->n_streams; i++)
    {
      const char *value = first;

      if (i > 0)
        {
          /* A projection as large as the first stream. Squares are of single precision in any graph. */
          g_autofree char *scope = g_strdup_printf ("%s.%" G_GINT64_FORMAT, name, i - 1);
          const char *ratio;

          value = dyno_layers_linear (graph, scope, streams[i], width, FALSE);
          dyno_graph_push_scope (graph, "%s", scope);
          value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
          ratio = dyno_graph_add (graph, "Div", NULL, size, add_size (graph, value, TRUE), NULL);
          value = dyno_graph_add (graph, "Mul", NULL, value, ratio, NULL);
          dyno_graph_pop_scope (graph);
        }

      dyno_graph_push_scope (graph, "%s", name);
      results[i] = dyno_layers_reshape (graph, value, 4, alone);
      dyno_graph_pop_scope (graph);
    }
}

const char *
dyno_decoder_open_streams (const DynoDecoding *self, const char *value)
{
  guint n_streams = (guint)self->decoder->n_streams;
  g_autofree const char **streams = g_new (const char *, n_streams);
  DynoGraph *graph = self->graph;

  for (guint i = 0; i < n_streams; i++)
    streams[i] = value;
  project_all (self, "model.altup_projections", streams, streams);
  dyno_graph_push_scope (graph, "model.altup_projections");
  value = dyno_graph_add_list (graph, "Concat", "axis=2", n_streams, streams);
  value = dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_decoder_close_streams (const DynoDecoding *self, const char *value)
{
  guint n_streams = (guint)self->decoder->n_streams;
  const gint64 flat[] = { 0, 0, self->decoder->width };
  g_autofree const char **streams = g_new (const char *, n_streams);
  g_autofree gint64 *sizes = g_new (gint64, n_streams);
  DynoGraph *graph = self->graph;

  dyno_graph_push_scope (graph, "model.altup_unembed_projections");
  for (guint i = 0; i < n_streams; i++)
    sizes[i] = 1;
  dyno_graph_add_split (graph, value, 2, n_streams, sizes, streams);
  for (guint i = 0; i < n_streams; i++)
    streams[i] = dyno_layers_reshape (graph, streams[i], 3, flat);
  dyno_graph_pop_scope (graph);
  project_all (self, "model.altup_unembed_projections", streams, streams);
  dyno_graph_push_scope (graph, "model.altup_unembed_projections");
  value = dyno_graph_add_list (graph, "Concat", "axis=2", n_streams, streams);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[2] keepdims=1", value, NULL);
  value = dyno_layers_reshape (graph, value, 3, flat);
  value = dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return value;
}

/* The weight of each stream: [batch, sequence, streams] */
static const char *
route (const DynoDecoding *self, const char *value)
{
  DynoGraph *graph = self->graph;

  value = dyno_layers_rms_norm (graph, "router_norm", value, self->decoder->epsilon);
  value = dyno_decoder_scale (graph, value, 1 / (double)self->decoder->width);
  value = dyno_layers_linear (graph, "modality_router", value, self->decoder->n_streams, FALSE);
  return dyno_graph_add (graph, "Tanh", NULL, value, NULL);
}

static const char *
take_first (const DynoDecoding *self, const char *value)
{
  return dyno_graph_add (self->graph, "Gather", "axis=2", value, dyno_graph_add_int (self->graph, 0), NULL);
}

const char *
dyno_decoder_predict (const DynoDecoding *self, const char *value, const char **first)
{
  gint64 n_streams = self->decoder->n_streams;
  const gint64 square[] = { 0, 0, n_streams, n_streams };
  DynoGraph *graph = self->graph;
  const char *mix;

  dyno_graph_push_scope (graph, "altup");
  mix = route (self, take_first (self, value));
  mix = dyno_layers_linear (graph, "prediction_coefs", mix, n_streams * n_streams, FALSE);
  mix = dyno_graph_add (graph, "MatMul", NULL, dyno_layers_reshape (graph, mix, 4, square), value, NULL);
  value = dyno_graph_add (graph, "Add", NULL, mix, value, NULL);
  *first = take_first (self, value);
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_decoder_correct (
    const DynoDecoding *self, guint layer, const char *predicted, const char *first, const char *value)
{
  gint64 n_streams = self->decoder->n_streams, width = self->decoder->width;
  const gint64 across[] = { 0, 0, n_streams, 1 }, alone[] = { 0, 0, 1, width },
               sizes[] = { 1, n_streams - 1 };
  DynoGraph *graph = self->graph;
  const char *parts[2], *share, *change;

  dyno_graph_push_scope (graph, "altup");
  share = dyno_layers_linear (graph, "correction_coefs", route (self, value), n_streams, FALSE);
  share = dyno_graph_add (graph, "Add", NULL, share, dyno_graph_add_real (graph, 1), NULL);
  change = dyno_graph_add (graph, "Sub", NULL, value, first, NULL);
  change = dyno_graph_add (graph, "Mul", NULL, dyno_layers_reshape (graph, share, 4, across),
                           dyno_layers_reshape (graph, change, 4, alone), NULL);
  value = dyno_graph_add (graph, "Add", NULL, predicted, change, NULL);
  first = dyno_graph_add (graph, "Mul", NULL, take_first (self, value),
                          dyno_graph_add_weight (graph, "correct_output_scale", 0.5, 0.02, 1, &width), NULL);
  dyno_graph_add_split (graph, value, 2, 2, sizes, parts);
  dyno_graph_pop_scope (graph);
  first = dyno_layers_reshape (graph, dyno_decoder_add_extra (self, layer, first), 4, alone);
  parts[1] = dyno_graph_add (graph, "Add", NULL, parts[1], first, NULL);
  return dyno_graph_add (graph, "Concat", "axis=2", parts[0], parts[1], NULL);
}

const char *
dyno_decoder_add_low_rank (const DynoDecoding *self, const char *value)
{
  DynoGraph *graph = self->graph;
  const char *inner;

  dyno_graph_push_scope (graph, "laurel");
  inner = dyno_layers_linear (graph, "linear_left", value, self->decoder->low_rank, FALSE);
  inner = dyno_layers_linear (graph, "linear_right", inner, self->decoder->width, FALSE);
  inner = dyno_layers_rms_norm (graph, "post_laurel_norm", inner, self->decoder->epsilon);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}
