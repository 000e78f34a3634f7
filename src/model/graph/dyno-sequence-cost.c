/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-model-graph-private.h"

/* The rules of operators that work along a sequence or along axes that they name: recurrent ones, Fourier transforms and
 * Einsum. */

/* Letters of an equation, and a place for each dimension that an ellipsis represents. */
#define MAX_LABELS (128 + DYNO_SHAPE_MAX_RANK)

/* Operations of a unit in a step, without its products. */
typedef struct
{
  gint64 gates;
  gint64
      element_wise; /* adds the products of input and state, applies the activations, makes the new state */
} Recurrence;

/* Sums (4), activations (4), c = f · c + i · g (3), h = o · tanh (c) (2). */
static const Recurrence lstm = { 4, 13 };

/* Sums (3), activations (3), r · h (1), h = (1 − z) · n + z · h (4). */
static const Recurrence gru = { 3, 11 };

/* Sum and activation. */
static const Recurrence rnn = { 1, 2 };

/* Optional weights are known by their sizes, [directions, size]. */
static gboolean
has_weight (const DynoNodeShapes *node, gint64 size)
{
  for (guint i = 3; i < node->inputs->len; i++)
    {
      const DynoShape *shape = dyno_node_shapes_get_input (node, i);

      if (shape->rank == 2 && shape->dims[1] == size)
        return TRUE;
    }
  return FALSE;
}

/* Input [steps, batch, size] in any order of the first two. In each step and direction a unit multiplies input and state
 * with the weights of each gate; biases add one for each gate, peepholes of an LSTM two for three of them. */
static gint64
count_recurrence (const DynoNodeShapes *node, const Recurrence *kind, gint64 directions, gint64 units)
{
  const DynoShape *data = dyno_node_shapes_get_input (node, 0);
  gint64 steps = data->dims[0] * data->dims[1] * directions;
  gint64 of_unit = 2 * kind->gates * (data->dims[2] + units) + kind->element_wise;

  if (has_weight (node, 2 * kind->gates * units))
    of_unit += kind->gates;
  if (kind == &lstm && has_weight (node, 3 * units))
    of_unit += 6;
  return steps * units * of_unit;
}

/* Weights [directions, gates × units, size] and [directions, gates × units, units]. */
static gboolean
cost_recurrent (const DynoNodeShapes *node, const Recurrence *kind, gint64 *flops)
{
  const DynoShape *data = dyno_node_shapes_get_input (node, 0);
  const DynoShape *weights = dyno_node_shapes_get_input (node, 1);
  const DynoShape *recurrent = dyno_node_shapes_get_input (node, 2);

  if (recurrent == NULL || data->rank != 3 || weights->rank != 3 || recurrent->rank != 3 ||
      weights->dims[1] != kind->gates * recurrent->dims[2])
    return FALSE;
  *flops = count_recurrence (node, kind, weights->dims[0], recurrent->dims[2]);
  return TRUE;
}

gboolean
dyno_sequence_cost_lstm (const DynoNodeShapes *node, gint64 *flops)
{
  return cost_recurrent (node, &lstm, flops);
}

gboolean
dyno_sequence_cost_gru (const DynoNodeShapes *node, gint64 *flops)
{
  return cost_recurrent (node, &gru, flops);
}

gboolean
dyno_sequence_cost_rnn (const DynoNodeShapes *node, gint64 *flops)
{
  return cost_recurrent (node, &rnn, flops);
}

/* com.microsoft DynamicQuantizeLSTM has transposed weights, [directions, size, 4 × units], and quantises
 * input and state in each step, five per element. */
gboolean
dyno_sequence_cost_dynamic_lstm (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = dyno_node_shapes_get_input (node, 0);
  const DynoShape *recurrent = dyno_node_shapes_get_input (node, 2);

  if (recurrent == NULL || data->rank != 3 || recurrent->rank != 3 ||
      recurrent->dims[2] != lstm.gates * recurrent->dims[1])
    return FALSE;
  *flops = count_recurrence (node, &lstm, recurrent->dims[0], recurrent->dims[1]) +
           5 * data->dims[0] * data->dims[1] * recurrent->dims[0] * (data->dims[2] + recurrent->dims[1]);
  return TRUE;
}

/* Axes of all operands: the size of each label, 0 if it is not used. */
typedef struct
{
  gint64 sizes[MAX_LABELS];
  gboolean is_kept[MAX_LABELS];
} Labels;

static gboolean
set_size (Labels *self, guint label, gint64 size)
{
  gboolean fits = self->sizes[label] <= 1 || size <= 1 || self->sizes[label] == size;

  self->sizes[label] = MAX (self->sizes[label], size);
  return fits;
}

/* An ellipsis represents the dimensions without a letter, the last of which are common to all operands. */
static gboolean
read_term (Labels *self, const char *term, const DynoShape *shape)
{
  guint n_letters = 0, n_others, axis = 0;

  for (const char *c = term; *c != '\0'; c++)
    n_letters += g_ascii_isalpha (*c) != 0;
  if (n_letters > shape->rank)
    return FALSE;
  n_others = shape->rank - n_letters;
  for (; *term != '\0'; term++)
    if (g_ascii_isalpha (*term) && !set_size (self, (guint)*term, shape->dims[axis++]))
      return FALSE;
    else if (g_str_has_prefix (term, "..."))
      for (guint i = n_others; i > 0; i--)
        if (!set_size (self, 128 + i - 1, shape->dims[axis++]))
          return FALSE;
  return axis == shape->rank;
}

/* One product for each combination of all axes, and one sum if an axis is not kept; engines process more
 * than two operands in their own order, which no rule covers. */
gboolean
dyno_sequence_cost_einsum (const DynoNodeShapes *node, gint64 *flops)
{
  g_auto (GStrv) sides = g_strsplit (node->equation != NULL ? node->equation : "", "->", 2);
  g_auto (GStrv) terms = g_strsplit (sides[0] != NULL ? sides[0] : "", ",", -1);
  guint n_terms = g_strv_length (terms);
  gboolean adds_up = FALSE;
  Labels labels = { 0 };

  if (n_terms < 1 || n_terms > 2 || n_terms != node->inputs->len)
    return FALSE;
  for (guint i = 0; i < n_terms; i++)
    if (!read_term (&labels, terms[i], dyno_node_shapes_get_input (node, i)))
      return FALSE;

  /* Without a result, letters that occur once are kept, as are all dimensions of an ellipsis. */
  for (guint label = 1; label < MAX_LABELS; label++)
    {
      const char *first = label < 128 ? strchr (sides[0], (int)label) : NULL;

      if (label >= 128)
        labels.is_kept[label] = sides[1] == NULL || strstr (sides[1], "...") != NULL;
      else if (sides[1] != NULL)
        labels.is_kept[label] = strchr (sides[1], (int)label) != NULL;
      else
        labels.is_kept[label] = first != NULL && strchr (first + 1, (int)label) == NULL;
    }

  *flops = 1;
  for (guint label = 0; label < MAX_LABELS; label++)
    {
      adds_up = adds_up || (labels.sizes[label] > 0 && !labels.is_kept[label]);
      if (labels.sizes[label] > 0 && __builtin_mul_overflow (*flops, labels.sizes[label], flops))
        return FALSE;
    }
  return !__builtin_mul_overflow (*flops, (gint64)(n_terms - 1) + (adds_up ? 1 : 0), flops);
}

/* By convention a fast transform of n complex numbers takes 5 · n · log₂ n (Frigo and Johnson, “The design
 * and implementation of FFTW3”, 2005), and half of that if they are real. */
static double
count_transform (gint64 n, gboolean is_real)
{
  return (is_real ? 2.5 : 5) * (double)n * log2 ((double)MAX (n, 1));
}

/* [batch, n, 1 or 2] to [batch, bins, 2]. With further axes, the shapes do not show which one is transformed. */
gboolean
dyno_sequence_cost_dft (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = dyno_node_shapes_get_input (node, 0);

  if (data == NULL || data->rank != 3)
    return FALSE;
  *flops = (gint64)round ((double)data->dims[0] * count_transform (data->dims[1], data->dims[2] == 1));
  return TRUE;
}

/* [batch, samples, 1 or 2] to [batch, frames, bins, 2]; without a window the length of a frame is taken for twice the bins
 * of a one-sided result. Each frame is multiplied with the window and transformed. */
gboolean
dyno_sequence_cost_stft (const DynoNodeShapes *node, gint64 *flops)
{
  const DynoShape *data = dyno_node_shapes_get_input (node, 0);
  const DynoShape *result = dyno_node_shapes_get_output (node);
  const DynoShape *window = NULL;
  gboolean is_real = data != NULL && (data->rank == 2 || (data->rank == 3 && data->dims[2] == 1));
  gint64 length;

  if (data == NULL || result->rank != 4)
    return FALSE;
  for (guint i = 1; window == NULL && i < node->inputs->len; i++)
    if (dyno_node_shapes_get_input (node, i)->rank == 1)
      window = dyno_node_shapes_get_input (node, i);
  length = window != NULL ? window->dims[0] : 2 * (result->dims[2] - 1);
  *flops = (gint64)round ((double)(result->dims[0] * result->dims[1]) *
                          (count_transform (length, is_real) + (window != NULL ? (double)length : 0)));
  return TRUE;
}
