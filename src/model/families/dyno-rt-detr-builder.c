/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"
#include "dyno-tower.h"

/* RT-DETR, Zhao et al. 2023: a ResNet whose last three stages produce pictures of different sizes, an
 * encoder that mixes them, and a decoder that begins with the most promising places and looks at a few
 * points around each. */

#define N_LEVELS   3 /* pictures of different sizes; each is half as large as the one before */
#define FIRST_STEP 8 /* pixels from one place of the largest to the next */
#define N_REPEATED 3 /* blocks in a layer that mixes two pictures */
#define REDUCTION  4
#define USUAL_SIDE 640 /* that of the published preprocessors */
#define MAX_SIDE   4096

/* The waves of all places would take more memory than the weights. */
#define MAX_WIDTH   8192
#define LEAST_CLIP  1e-5f
#define ANCHOR_SIDE 0.05
#define ANCHOR_EDGE 0.01 /* anchors nearer to the edge are left out, */
#define LEFT_OUT    1e4f /* by coordinates far outside of the picture */

#define NEAREST "mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=floor"

typedef struct
{
  GArray *widths;
  GArray *depths;
  gint64 stem_width;
  gint64 n_channels;
  gboolean is_bottleneck;
} Backbone;

typedef struct
{
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  const char *activation;
  DynoConfigFields fields;
} Stack;

typedef struct
{
  Backbone backbone;
  Stack encoder;
  Stack decoder;
  GArray *attending; /* the pictures whose places attend to each other */
  gint64 sides[2];
  gint64 encoder_width;
  gint64 width;
  gint64 mixed_width;
  gint64 n_queries;
  gint64 n_labels;
  gint64 n_points; /* around each box, in each picture */
  gboolean has_point_scales;
  gboolean was_denoised; /* files have weights that only training uses */
  double wavelength;
  double reach; /* of the points, in sizes of the box */
  double epsilon;
  double norm_epsilon;
  const char *activation;
} Detr;

/* @geometry: channels, kernel and stride */
static const char *
add_frozen (DynoGraph *graph, const char *name, const char *value, const gint64 geometry[3])
{
  const DynoConvolution convolution = { geometry[0], geometry[1], geometry[2], 1, 1 };

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_convolution_add (&convolution, graph, "convolution", value);
  value = dyno_convolution_normalize_frozen (graph, "normalization", value);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_active (DynoGraph *graph, const char *name, const char *value, const gint64 geometry[3])
{
  return dyno_layers_activation (graph, "relu", add_frozen (graph, name, value, geometry));
}

static const char *
add_backbone_layer (
    DynoGraph *graph, const Backbone *self, const char *value, gint64 width, gint64 stride, gboolean is_first)
{
  gint64 inner = width / REDUCTION;
  gboolean is_wider = dyno_graph_get_shape (graph, value)->dims[1] != width;
  const char *residual = value;

  if (self->is_bottleneck ? is_wider || stride != 1 : is_first)
    {
      if (stride == 1 || (!self->is_bottleneck && !is_wider))
        residual = add_frozen (graph, "shortcut", value, (gint64[]){ width, 1, stride });
      else
        {
          residual = dyno_graph_add (graph, "AveragePool", "kernel_shape=[2,2] strides=[2,2]", value, NULL);
          residual = add_frozen (graph, "shortcut.1", residual, (gint64[]){ width, 1, 1 });
        }
    }
  if (self->is_bottleneck)
    {
      value = add_active (graph, "layer.0", value, (gint64[]){ inner, 1, 1 });
      value = add_active (graph, "layer.1", value, (gint64[]){ inner, 3, stride });
      value = add_frozen (graph, "layer.2", value, (gint64[]){ width, 1, 1 });
    }
  else
    {
      value = add_active (graph, "layer.0", value, (gint64[]){ width, 3, stride });
      value = add_frozen (graph, "layer.1", value, (gint64[]){ width, 3, 1 });
    }
  value = dyno_graph_add (graph, "Add", NULL, value, residual, NULL);
  return dyno_layers_activation (graph, "relu", value);
}

/* @names: of the convolution and its norm */
static const char *
add_normalized (DynoGraph *graph,
                const Detr *self,
                const char *scope,
                const char *const names[2],
                const char *value,
                const gint64 geometry[3])
{
  const DynoConvolution convolution = { geometry[0], geometry[1], geometry[2], 1, 1, 1 };

  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_convolution_add (&convolution, graph, names[0], value);
  value = dyno_convolution_normalize (graph, names[1], value, 1, self->norm_epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
convolve (DynoGraph *graph, const Detr *self, const char *name, const char *value, const gint64 geometry[3])
{
  static const char *const names[] = { "conv", "norm" };

  value = add_normalized (graph, self, name, names, value, geometry);
  return dyno_layers_activation (graph, self->activation, value);
}

static const char *
mix (DynoGraph *graph, const Detr *self, const char *kind, guint i, const char *first, const char *second)
{
  const char *value = dyno_graph_add (graph, "Concat", "axis=1", first, second, NULL);
  const char *beside;

  dyno_graph_push_scope (graph, "encoder.%s.%u", kind, i);
  beside = convolve (graph, self, "conv2", value, (gint64[]){ self->mixed_width, 1, 1 });
  value = convolve (graph, self, "conv1", value, (gint64[]){ self->mixed_width, 1, 1 });
  for (guint k = 0; k < N_REPEATED; k++)
    {
      dyno_graph_push_scope (graph, "bottlenecks.%u", k);

      /* RepVGG, Ding et al. 2021, as it is trained: a wide and a narrow convolution side by side. */
      static const char *const names[] = { "conv", "norm" };
      const char *wide =
          add_normalized (graph, self, "conv1", names, value, (gint64[]){ self->mixed_width, 3, 1 });
      const char *narrow =
          add_normalized (graph, self, "conv2", names, value, (gint64[]){ self->mixed_width, 1, 1 });

      value = dyno_graph_add (graph, "Add", NULL, wide, narrow, NULL);
      value = dyno_layers_activation (graph, self->activation, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_graph_add (graph, "Add", NULL, value, beside, NULL);
  if (self->mixed_width != self->encoder_width)
    value = convolve (graph, self, "conv3", value, (gint64[]){ self->encoder_width, 1, 1 });
  dyno_graph_pop_scope (graph);
  return value;
}

/* Position embeddings are added to the inputs of queries and keys, not of values. */
static const char *
attend (DynoGraph *graph, const Detr *self, gint64 n_heads, const char *value, const char *positions)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  const char *placed, *query, *key, *inner;

  dyno_graph_push_scope (graph, "self_attn");
  placed = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  query = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "q_proj", placed, width, TRUE), n_heads);
  key = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "k_proj", placed, width, TRUE), n_heads);
  inner = dyno_layers_split_heads (graph, dyno_layers_linear (graph, "v_proj", value, width, TRUE), n_heads);
  inner = dyno_layers_attention (graph, query, key, inner, NULL, dyno_graph_get_real_type (graph));
  inner = dyno_layers_linear (graph, "out_proj", inner, width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  dyno_graph_pop_scope (graph);
  return dyno_layers_layer_norm (graph, "self_attn_layer_norm", value, self->epsilon);
}

static const char *
feed_forward (DynoGraph *graph, const Detr *self, const Stack *stack, const char *value)
{
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  const char *inner = dyno_layers_linear (graph, "fc1", value, stack->inner_width, TRUE);

  inner = dyno_layers_activation (graph, stack->activation, inner);
  inner = dyno_layers_linear (graph, "fc2", inner, width, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  return dyno_layers_layer_norm (graph, "final_layer_norm", value, self->epsilon);
}

/* The places of one picture attend to each other. */
static const char *
add_encoder_layers (DynoGraph *graph, const Detr *self, guint which, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  const gint64 sides[] = { shape->dims[2], shape->dims[3] };
  const gint64 picture[] = { 0, self->encoder_width, sides[0], sides[1] };
  const char *positions;

  dyno_graph_push_scope (graph, "encoder.encoder.%u", which);
  value = dyno_layers_to_tokens (graph, value);

  /* Half of the width encodes the row of a place, the other half the column: [1, places, width]. */
  gint64 quarter = self->encoder_width / 4, n_values = sides[0] * sides[1] * self->encoder_width;
  const gint64 dims[] = { 1, sides[0] * sides[1], self->encoder_width };
  g_autofree float *values = g_new (float, n_values);

  for (gint64 i = 0; i < n_values; i++)
    {
      gint64 place = i / self->encoder_width, part = i % self->encoder_width;
      double along = (double)(part < 2 * quarter ? place / sides[1] : place % sides[1]);
      double angle = along / pow (self->wavelength, (double)(part % quarter) / (double)quarter);

      values[i] = (float)(part / quarter % 2 == 0 ? sin (angle) : cos (angle));
    }
  positions = dyno_layers_cast (
      graph, dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)n_values, values), 3, dims),
      dyno_graph_get_real_type (graph));
  for (guint i = 0; i < self->encoder.n_layers; i++)
    {
      dyno_graph_push_scope (graph, "layers.%u", i);
      value = attend (graph, self, self->encoder.n_heads, value, positions);
      value = feed_forward (graph, self, &self->encoder, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", value, NULL);
  value = dyno_layers_reshape (graph, value, 4, picture);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Goes from the smallest picture to the largest, and back. */
static void
add_encoder (DynoGraph *graph, const Detr *self, const char **pictures)
{
  static const char *const projection[] = { "0", "1" };

  for (guint i = 0; i < N_LEVELS; i++)
    {
      g_autofree char *name = g_strdup_printf ("encoder_input_proj.%u", i);

      pictures[i] = add_normalized (graph, self, name, projection, pictures[i],
                                    (gint64[]){ self->encoder_width, 1, 1 });
    }
  for (guint i = 0; i < self->attending->len && self->encoder.n_layers > 0; i++)
    {
      guint level = (guint)dyno_config_get_item (self->attending, i);

      pictures[level] = add_encoder_layers (graph, self, i, pictures[level]);
    }
  for (guint i = 0; i + 1 < N_LEVELS; i++)
    {
      g_autofree char *name = g_strdup_printf ("encoder.lateral_convs.%u", i);
      guint level = N_LEVELS - 1 - i;
      const DynoShape *shape = dyno_graph_get_shape (graph, pictures[level - 1]);

      pictures[level] =
          convolve (graph, self, name, pictures[level], (gint64[]){ self->encoder_width, 1, 1 });
      pictures[level - 1] = mix (graph, self, "fpn_blocks", i,
                                 dyno_convolution_resize (graph, pictures[level], NEAREST, &shape->dims[2]),
                                 pictures[level - 1]);
    }
  for (guint i = 0; i + 1 < N_LEVELS; i++)
    {
      g_autofree char *name = g_strdup_printf ("encoder.downsample_convs.%u", i);
      const char *smaller =
          convolve (graph, self, name, pictures[i], (gint64[]){ self->encoder_width, 3, 2 });

      pictures[i + 1] = mix (graph, self, "pan_blocks", i, smaller, pictures[i + 1]);
    }
}

/* Height and width of a picture. */
static void
get_level_sides (const Detr *self, guint level, gint64 *sides)
{
  for (guint i = 0; i < 2; i++)
    sides[i] = self->sides[i] / (FIRST_STEP << level);
}

static gint64
count_places (const Detr *self, guint n_levels)
{
  gint64 n_places = 0;

  for (guint i = 0; i < n_levels; i++)
    {
      gint64 sides[2];

      get_level_sides (self, i, sides);
      n_places += sides[0] * sides[1];
    }
  return n_places;
}

/* The middle of each place and the usual size of an object, before their sigmoid: [1, places, 4]. @inside:
 * 1 for anchors that count, else 0, [1, places, 1] */
static const char *
add_anchors (DynoGraph *graph, const Detr *self, const char **inside)
{
  gint64 n = count_places (self, N_LEVELS), place = 0;
  const gint64 dims[] = { 1, n, 4 }, column[] = { 1, n, 1 };
  g_autofree float *anchors = g_new (float, 4 * n), *counts = g_new (float, n);

  for (guint level = 0; level < N_LEVELS; level++)
    {
      gint64 sides[2];

      get_level_sides (self, level, sides);
      for (gint64 i = 0; i < sides[0] * sides[1]; i++, place++)
        {
          const double anchor[] = { ((double)(i % sides[1]) + 0.5) / (double)sides[1],
                                    ((double)(i / sides[1]) + 0.5) / (double)sides[0],
                                    ANCHOR_SIDE * (double)(1 << level), ANCHOR_SIDE * (double)(1 << level) };

          counts[place] = 1;
          for (guint k = 0; k < 4; k++)
            if (anchor[k] <= ANCHOR_EDGE || anchor[k] >= 1 - ANCHOR_EDGE)
              counts[place] = 0;
          for (guint k = 0; k < 4; k++)
            anchors[4 * place + k] = counts[place] > 0 ? (float)log (anchor[k] / (1 - anchor[k])) : LEFT_OUT;
        }
    }
  *inside = dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)n, counts), 3, column);
  *inside = dyno_layers_cast (graph, *inside, dyno_graph_get_real_type (graph));
  return dyno_layers_cast (
      graph, dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)(4 * n), anchors), 3, dims),
      dyno_graph_get_real_type (graph));
}

/* Joins all pictures one after the other, in the width of the decoder: [batch, places, width]. */
static const char *
join_pictures (DynoGraph *graph, const Detr *self, const char **pictures)
{
  static const char *const projection[] = { "0", "1" };

  for (guint i = 0; i < N_LEVELS; i++)
    {
      g_autofree char *name = g_strdup_printf ("decoder_input_proj.%u", i);

      pictures[i] =
          add_normalized (graph, self, name, projection, pictures[i], (gint64[]){ self->width, 1, 1 });
      pictures[i] = dyno_layers_to_tokens (graph, pictures[i]);
    }
  return dyno_graph_add_list (graph, "Concat", "axis=1", N_LEVELS, pictures);
}

/* The queries are the places with the highest score of any class. @boxes: before their sigmoid */
static const char *
choose_queries (DynoGraph *graph, const Detr *self, const char *memory, const char **boxes)
{
  const gint64 last = 2;
  const char *inside, *scores, *best, *rows, *anchors = add_anchors (graph, self, &inside);

  memory = dyno_graph_add (graph, "Mul", NULL, memory, inside, NULL);
  memory = dyno_layers_linear (graph, "enc_output.0", memory, self->width, TRUE);
  memory = dyno_layers_layer_norm (graph, "enc_output.1", memory, self->epsilon);
  scores = dyno_layers_linear (graph, "enc_score_head", memory, self->n_labels, TRUE);
  *boxes = dyno_head_add_perceptron (graph, "enc_bbox_head", memory, 4);
  *boxes = dyno_graph_add (graph, "Add", NULL, *boxes, anchors, NULL);
  best = dyno_graph_add (graph, "ReduceMax", "axes=[2] keepdims=1", scores, NULL);
  best = dyno_graph_add (graph, "Squeeze", NULL, best, dyno_graph_add_ints (graph, 1, &last), NULL);
  dyno_graph_add_top_k (graph, best, self->n_queries, &best, &rows);
  *boxes = dyno_layers_choose_rows (graph, *boxes, rows);
  return dyno_layers_choose_rows (graph, memory, rows);
}

/* The points to read, from −1 to 1 over the width and the height of a picture: [batch, heads, queries,
 * pictures, points, 2].
 * @boxes: centres and sizes, [batch, queries, 4] */
static const char *
add_points (DynoGraph *graph, const Detr *self, const char *queries, const char *boxes)
{
  gint64 n_heads = self->decoder.n_heads, n_all = N_LEVELS * self->n_points;
  const gint64 spread[] = { 0, self->n_queries, n_heads, N_LEVELS, self->n_points, 2 };
  const gint64 for_all[] = { 0, self->n_queries, 1, 1, 1, 4 }, halves[] = { 2, 2 };
  const gint64 column[] = { N_LEVELS, self->n_points, 1 };
  const char *parts[2], *points, *scales;

  points = dyno_layers_linear (graph, "sampling_offsets", queries, 2 * n_heads * n_all, TRUE);
  points = dyno_layers_reshape (graph, points, 6, spread);
  dyno_graph_add_split (graph, dyno_layers_reshape (graph, boxes, 6, for_all), 5, 2, halves, parts);
  if (self->has_point_scales)
    {
      scales = dyno_graph_add_buffer (graph, "n_points_scale", 1 / (double)self->n_points, 0, 1, &n_all);
      points =
          dyno_graph_add (graph, "Mul", NULL, points, dyno_layers_reshape (graph, scales, 3, column), NULL);
    }
  points = dyno_graph_add (graph, "Mul", NULL, points, parts[1], NULL);
  points = dyno_graph_add (
      graph, "Mul", NULL, points,
      dyno_graph_add_real (graph,
                           (float)(self->reach / (self->has_point_scales ? 1 : (double)self->n_points))),
      NULL);
  points = dyno_graph_add (graph, "Add", NULL, points, parts[0], NULL);
  points = dyno_graph_add (graph, "Mul", NULL, points, dyno_graph_add_real (graph, 2), NULL);
  points = dyno_graph_add (graph, "Sub", NULL, points, dyno_graph_add_real (graph, 1), NULL);
  return dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3,4,5]", points, NULL);
}

/* Deformable attention, Zhu et al. 2020: the shares of the points follow from the query alone. */
static const char *
look_around (DynoGraph *graph, const Detr *self, const char *queries, const char *memory, const char *boxes)
{
  gint64 n_heads = self->decoder.n_heads, n_all = N_LEVELS * self->n_points;
  const gint64 split[] = { 0, 0, n_heads, n_all }, rows[] = { -1, 1, self->n_queries, n_all };
  const gint64 joined[] = { -1, self->width, self->n_queries }, last = -1;
  const char *shares, *value;

  dyno_graph_push_scope (graph, "encoder_attn");

  /* The values at the points of all pictures: [batch × heads, width of a head, queries, points]. */
  const char *points = add_points (graph, self, queries, boxes);
  const gint64 grid[] = { -1, self->n_queries, self->n_points, 2 }, each[] = { 1, 1, 1 };
  gint64 sizes[N_LEVELS];
  const char *values[N_LEVELS], *grids[N_LEVELS];

  for (guint i = 0; i < N_LEVELS; i++)
    sizes[i] = count_places (self, i + 1) - count_places (self, i);
  memory = dyno_layers_linear (graph, "value_proj", memory, self->width, TRUE);
  memory = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", memory, NULL);
  dyno_graph_add_split (graph, memory, 2, N_LEVELS, sizes, values);
  dyno_graph_add_split (graph, points, 3, N_LEVELS, each, grids);
  for (guint i = 0; i < N_LEVELS; i++)
    {
      gint64 picture[] = { -1, self->width / self->decoder.n_heads, 0, 0 };

      get_level_sides (self, i, &picture[2]);
      values[i] = dyno_graph_add (graph, "GridSample", "mode=bilinear padding_mode=zeros align_corners=0",
                                  dyno_layers_reshape (graph, values[i], 4, picture),
                                  dyno_layers_reshape (graph, grids[i], 4, grid), NULL);
    }
  value = dyno_graph_add_list (graph, "Concat", "axis=3", N_LEVELS, values);
  shares = dyno_layers_linear (graph, "attention_weights", queries, n_heads * n_all, TRUE);
  shares = dyno_graph_add (graph, "Softmax", "axis=-1", dyno_layers_reshape (graph, shares, 4, split), NULL);
  shares = dyno_graph_add (graph, "Transpose", "perm=[0,2,1,3]", shares, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, dyno_layers_reshape (graph, shares, 4, rows), NULL);
  value =
      dyno_graph_add (graph, "ReduceSum", "keepdims=1", value, dyno_graph_add_ints (graph, 1, &last), NULL);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", dyno_layers_reshape (graph, value, 3, joined),
                          NULL);
  value = dyno_layers_linear (graph, "output_proj", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

typedef struct
{
  const Detr *detr;
  guint layer;
} Classes;

static void
add_unused_classes (DynoGraph *graph, const char *value, gconstpointer data)
{
  const Classes *classes = data;
  g_autofree char *name = g_strdup_printf ("class_embed.%u", classes->layer);

  dyno_layers_linear (graph, name, value, classes->detr->n_labels, TRUE);
}

/* In training each layer predicts classes, else only the last one. */
static void
add_decoder (DynoGraph *graph, const Detr *self, const char *value, const char *boxes, const char *memory)
{
  g_autofree char *classes =
      g_strdup_printf ("batch, %" PRId64 ", %" PRId64, self->n_queries, self->n_labels);
  g_autofree char *corners = g_strdup_printf ("batch, %" PRId64 ", 4", self->n_queries);
  g_autofree char *last = g_strdup_printf ("class_embed.%" PRId64, self->decoder.n_layers - 1);
  const char *inner, *positions;

  dyno_graph_push_scope (graph, "decoder");
  boxes = dyno_graph_add (graph, "Sigmoid", NULL, boxes, NULL);
  for (guint i = 0; i < self->decoder.n_layers; i++)
    {
      dyno_graph_push_scope (graph, "query_pos_head");
      positions = dyno_layers_linear (graph, "layers.0", boxes, 2 * self->width, TRUE);
      positions = dyno_layers_activation (graph, "relu", positions);
      positions = dyno_layers_linear (graph, "layers.1", positions, self->width, TRUE);
      dyno_graph_pop_scope (graph);

      dyno_graph_push_scope (graph, "layers.%u", i);

      value = attend (graph, self, self->decoder.n_heads, value, positions);
      inner = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
      inner = look_around (graph, self, inner, memory, boxes);
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      value = dyno_layers_layer_norm (graph, "encoder_attn_layer_norm", value, self->epsilon);
      value = feed_forward (graph, self, &self->decoder, value);
      dyno_graph_pop_scope (graph);

      /* The layer's correction of the boxes is added before their sigmoid. */
      g_autofree char *name = g_strdup_printf ("bbox_embed.%u", i);
      const char *least = dyno_graph_add_real (graph, LEAST_CLIP), *rest;
      rest = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_real (graph, 1), boxes, NULL);
      rest = dyno_graph_add (graph, "Clip", NULL, rest, least, NULL);
      boxes = dyno_graph_add (graph, "Clip", NULL, boxes, least, NULL);
      boxes =
          dyno_graph_add (graph, "Log", NULL, dyno_graph_add (graph, "Div", NULL, boxes, rest, NULL), NULL);
      inner = dyno_head_add_perceptron (graph, name, value, 4);
      inner = dyno_graph_add (graph, "Add", NULL, inner, boxes, NULL);
      boxes = dyno_graph_add (graph, "Sigmoid", NULL, inner, NULL);
      if (i + 1 < self->decoder.n_layers)
        dyno_graph_add_unused (graph, value, add_unused_classes, &(Classes){ self, i });
    }
  value = dyno_layers_linear (graph, last, value, self->n_labels, TRUE);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits", value, classes);
  dyno_graph_add_output (graph, "pred_boxes", boxes, corners);
}

static void
add_detr (DynoGraph *graph, const Detr *self)
{
  const gint64 classes[] = { self->n_labels + 1, self->width };
  const char *pixels =
      dyno_tower_add_pixels (graph, self->backbone.n_channels, self->sides[0], self->sides[1]);
  const char *pictures[N_LEVELS], *memory, *queries, *boxes;

  dyno_graph_push_scope (graph, "model");

  guint n_stages = self->backbone.widths->len;

  dyno_graph_push_scope (graph, "backbone.model");
  pixels =
      add_active (graph, "embedder.embedder.0", pixels, (gint64[]){ self->backbone.stem_width / 2, 3, 2 });
  pixels =
      add_active (graph, "embedder.embedder.1", pixels, (gint64[]){ self->backbone.stem_width / 2, 3, 1 });
  pixels = add_active (graph, "embedder.embedder.2", pixels, (gint64[]){ self->backbone.stem_width, 3, 1 });
  pixels = dyno_graph_add (graph, "MaxPool", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", pixels, NULL);
  for (guint stage = 0; stage < n_stages; stage++)
    {
      for (guint i = 0; i < dyno_config_get_item (self->backbone.depths, stage); i++)
        {
          dyno_graph_push_scope (graph, "encoder.stages.%u.layers.%u", stage, i);
          pixels = add_backbone_layer (graph, &self->backbone, pixels,
                                       dyno_config_get_item (self->backbone.widths, stage),
                                       stage > 0 && i == 0 ? 2 : 1, i == 0);
          dyno_graph_pop_scope (graph);
        }
      if (stage + N_LEVELS >= n_stages)
        pictures[stage + N_LEVELS - n_stages] = pixels;
    }
  dyno_graph_pop_scope (graph);

  add_encoder (graph, self, pictures);
  if (self->was_denoised)
    dyno_graph_add_weight (graph, "denoising_class_embed.weight", 0, 0.02, 2, classes);
  memory = join_pictures (graph, self, pictures);
  queries = choose_queries (graph, self, memory, &boxes);
  add_decoder (graph, self, queries, boxes, memory);
  dyno_graph_pop_scope (graph);
}

static void
check_stack (const Stack *stack, gint64 width, DynoConfig *config)
{
  dyno_config_check_heads (config, &stack->fields, width, stack->n_heads);
  dyno_config_check_layers (config, stack->fields.layers, stack->n_layers);
  dyno_config_check_activation (config, stack->fields.activation, stack->activation);
}

/* One width for each picture. */
static void
check_widths (DynoConfig *config, const char *name, const gint64 *widths)
{
  g_autoptr (GArray) found = dyno_config_get_ints (config, name);

  for (guint i = 0; i < N_LEVELS; i++)
    if (found->len != N_LEVELS || dyno_config_get_item (found, i) != widths[i])
      {
        dyno_config_fail (config, _ ("its “%s” are not the widths of the pictures before"), name);
        return;
      }
}

static void
check (const Detr *self, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "backbone_config");
  const Backbone *backbone = &self->backbone;
  gboolean has_all = backbone->widths->len == N_LEVELS + 1;
  gint64 widths[N_LEVELS];

  dyno_config_check_stages (part, "hidden_sizes", backbone->widths, backbone->depths);
  if (!has_all)
    dyno_config_fail (part, _ ("its “%s” are %u, but must be %d"), "hidden_sizes", backbone->widths->len,
                      N_LEVELS + 1);
  for (guint i = 0; has_all && i < backbone->widths->len; i++)
    if (dyno_config_get_item (backbone->widths, i) < REDUCTION)
      dyno_config_fail (part, _ ("its “hidden_sizes” are too small"));
  if (has_all &&
      (backbone->stem_width < 2 ||
       (!backbone->is_bottleneck && dyno_config_get_item (backbone->widths, 0) != backbone->stem_width)))
    dyno_config_fail (part, _ ("its “embedding_size” does not fit its “hidden_sizes”"));
  check_stack (&self->encoder, self->encoder_width, config);
  check_stack (&self->decoder, self->width, config);
  dyno_config_check_activation (config, "activation_function", self->activation);
  if (!dyno_config_check (config, NULL))
    return;
  check_widths (config, "encoder_in_channels", &g_array_index (self->backbone.widths, gint64, 1));
  for (guint i = 0; i < N_LEVELS; i++)
    widths[i] = self->encoder_width;
  check_widths (config, "decoder_in_channels", widths);
  dyno_config_check_indices (config, "encode_proj_layers", N_LEVELS);
  if (self->encoder_width % 4 != 0)
    dyno_config_fail (config, _ ("its “%s” is not a multiple of 4"), "encoder_hidden_dim");
  if (!(self->wavelength >= 1))
    dyno_config_fail (config, _ ("its “%s” must be at least 1"), "positional_encoding_temperature");

  gint64 step = FIRST_STEP << (N_LEVELS - 1);

  for (guint i = 0; i < 2; i++)
    if (self->sides[i] % step != 0 || self->sides[i] > MAX_SIDE)
      {
        dyno_config_fail (config, _ ("its “image_size” is not a multiple of %" PRId64 " up to %d"), step,
                          MAX_SIDE);
        return;
      }
  if (self->encoder_width > MAX_WIDTH)
    dyno_config_fail (config, _ ("its “%s” is larger than %d"), "encoder_hidden_dim", MAX_WIDTH);
  if (count_places (self, N_LEVELS) < self->n_queries)
    dyno_config_fail (config, _ ("its pictures (“image_size”) have fewer places than “num_queries”"));
}

/* Options of the published code that no published model has, or that are not built. */
static const DynoConfigFixed fixed[] = {
  { "use_timm_backbone", "false" },
  { "freeze_backbone_batch_norms", "true" },
  { "normalize_before", "false" },
  { "learn_initial_query", "false" },
  { "with_box_refine", "true" },
  { "num_feature_levels", "3" },
  { "anchor_image_size", "null" },
  { "eval_size", "null" },
  { "backbone", "null" },
  { "decoder_n_levels", "3" },
  { "decoder_method", "\"default\"" },
};
static const DynoConfigFixed fixed_backbone[] = {
  { "model_type", "\"rt_detr_resnet\"" },
  { "hidden_act", "\"relu\"" },
  { "downsample_in_first_stage", "false" },
  { "downsample_in_bottleneck", "false" },
  { "out_features", "[\"stage2\", \"stage3\", \"stage4\"]" },
  { "out_indices", "[2, 3, 4]" },
};

#define USUAL                                                                                                \
  "{\"encoder_in_channels\": [512, 1024, 2048], \"decoder_in_channels\": [256, 256, 256], "                  \
  "\"encode_proj_layers\": [2]}"
#define USUAL_BACKBONE "{\"hidden_sizes\": [256, 512, 1024, 2048], \"depths\": [3, 4, 6, 3]}"

static Stack
read_stack (DynoConfig *config, const char *const names[4], gint64 n_layers, const char *activation)
{
  return (Stack){
    .n_layers = dyno_config_get_count_or (config, names[0], n_layers),
    .n_heads = dyno_config_get_int_or (config, names[1], 8),
    .inner_width = dyno_config_get_int_or (config, names[2], 1024),
    .activation = dyno_config_get_string_or (config, names[3], activation),
    .fields = { "d_model", names[0], names[1], .activation = names[3] },
  };
}

static void
read_backbone (Backbone *self, DynoConfig *config)
{
  const char *type;

  dyno_config_set_defaults (config, USUAL_BACKBONE);
  type = dyno_config_get_string_or (config, "layer_type", "bottleneck");
  self->widths = dyno_config_get_ints (config, "hidden_sizes");
  self->depths = dyno_config_get_ints (config, "depths");
  self->stem_width = dyno_config_get_int_or (config, "embedding_size", 64);
  self->n_channels = dyno_config_get_int_or (config, "num_channels", 3);
  self->is_bottleneck = g_str_equal (type, "bottleneck");
  if (!self->is_bottleneck && !g_str_equal (type, "basic"))
    dyno_config_fail (config, _ ("its “layer_type” is “%s”, but must be “basic” or “bottleneck”"), type);
  dyno_config_check_fixed (config, fixed_backbone, G_N_ELEMENTS (fixed_backbone));
}

static void
detr_clear (Detr *self)
{
  g_array_unref (self->backbone.widths);
  g_array_unref (self->backbone.depths);
  g_array_unref (self->attending);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Detr, detr_clear)

static void
build (DynoGraph *graph, DynoConfig *config, gboolean is_second)
{
  g_auto (Detr) self = { 0 };

  static const char *const encoder[] = { "encoder_layers", "encoder_attention_heads", "encoder_ffn_dim",
                                         "encoder_activation_function" };
  static const char *const decoder[] = { "decoder_layers", "decoder_attention_heads", "decoder_ffn_dim",
                                         "decoder_activation_function" };
  double expansion;

  dyno_config_set_defaults (config, USUAL);
  expansion = dyno_config_get_double_or (config, "hidden_expansion", 1);
  read_backbone (&self.backbone, dyno_config_get_child (config, "backbone_config"));
  self.encoder = read_stack (config, encoder, 1, "gelu");
  self.encoder.fields.width = "encoder_hidden_dim";
  self.decoder = read_stack (config, decoder, 6, "relu");
  self.attending = dyno_config_get_places (config, "encode_proj_layers");
  self.encoder_width = dyno_config_get_int_or (config, "encoder_hidden_dim", 256);
  self.width = dyno_config_get_int_or (config, "d_model", 256);
  self.mixed_width = (gint64)((double)self.encoder_width * MIN (expansion, 100));
  self.n_queries = dyno_config_get_int_or (config, "num_queries", 300);
  self.n_labels = dyno_config_get_n_labels (config, 2);
  self.n_points = dyno_config_get_int_or (config, "decoder_n_points", 4);
  self.has_point_scales = is_second;
  self.was_denoised = dyno_config_get_count_or (config, "num_denoising", 100) > 0;
  self.wavelength = dyno_config_get_double_or (config, "positional_encoding_temperature", 10000);
  self.reach = is_second ? dyno_config_get_double_or (config, "decoder_offset_scale", 0.5) : 0.5;
  self.epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self.norm_epsilon = dyno_config_get_double_or (config, "batch_norm_eps", 1e-5);
  self.activation = dyno_config_get_string_or (config, "activation_function", "silu");
  dyno_config_get_sides (config, USUAL_SIDE, self.sides);
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_share (config, "hidden_expansion", expansion, self.encoder_width);
  if (self.decoder.n_layers == 0)
    dyno_config_fail (config, _ ("its “%s” is 0"), "decoder_layers");

  if (dyno_config_check (config, NULL))
    check (&self, config);
  if (dyno_config_check (config, NULL))
    add_detr (graph, &self);
}

static void
build_first (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, FALSE);
}

static void
build_second (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, TRUE);
}

const DynoArchitecture dyno_rt_detr_architectures[] = {
  { "rt_detr", &dyno_vision_family, "object-detection", build_first },
  { "rt_detr_v2", &dyno_vision_family, "object-detection", build_second },
  { NULL },
};
