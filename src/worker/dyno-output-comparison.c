/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-text.h"
#include "dyno-worker-private.h"

/* How far the outputs of the same model on two engines may differ, relative to their scale. In single
 * precision the order of additions and different approximations of exp and erf cause about 1e-5 after many
 * layers; a wrong kernel causes far more than 1e-3. TF32 rounds the factors of products to 11 significant
 * bits, and nothing else: BERT base then differs by 1.3e-3 on an H100. Half precision has 11 significant
 * bits, bfloat16 has 8, and both round in every layer; quantised models round to 8 bits, and engines round at
 * different places. For models with quantised weights only, engines are compared as in single precision, and
 * this is how far weights of so many bits usually deviate from it.
 *
 * Below the least cosine with single precision an answer is wrong. Of a dozen bundled models with random
 * weights SmolLM2-135M, with 30 layers, has the lowest: 0.9997 in int8-weights, 0.996 in int8-dynamic and 0.90
 * in 4 bits. Where sums of int8-dynamic overflowed, BERT tiny had 0.92, and larger models less. */
static const struct
{
  const char *precision;
  double tolerance;
  double least_cosine;
} tolerances[] = {
  { "fp32", 1e-3 },
  { "tf32", 1e-2 },
  { "fp16", 2e-2 },
  { "bf16", 1e-1 },
  { "int8", 2e-1, 0.9 },
  { "int8-weights", 5e-2, 0.98 },
  { "int8-cache", 5e-2, 0.98 },
  { "int8-dynamic", 2e-1, 0.95 },
  { "q8_0", 5e-2, 0.98 },
  { "q4_k_m", 5e-1, 0.5 },
  { "int4-32", 5e-1, 0.5 },
  { "int4-128", 5e-1, 0.5 },
  { "nf4", 5e-1, 0.5 },
};

double
dyno_output_comparison_get_tolerance (const char *precision)
{
  for (guint i = 0; i < G_N_ELEMENTS (tolerances); i++)
    if (g_str_equal (tolerances[i].precision, precision))
      return tolerances[i].tolerance;
  return tolerances[G_N_ELEMENTS (tolerances) - 1].tolerance;
}

double
dyno_output_comparison_get_least_cosine (const char *precision)
{
  for (guint i = 0; i < G_N_ELEMENTS (tolerances); i++)
    if (g_str_equal (tolerances[i].precision, precision))
      return tolerances[i].least_cosine;
  return 0;
}

DynoTensor *
dyno_output_find (GPtrArray *outputs, const char *name)
{
  for (guint i = 0; i < outputs->len; i++)
    if (g_str_equal (dyno_tensor_get_name (outputs->pdata[i]), name))
      return outputs->pdata[i];
  return NULL;
}

/* An engine may return another type than the model declares, as long as it is numeric. */
static gboolean
has_same_sizes (DynoTensor *one, DynoTensor *other)
{
  const DynoShape *a = dyno_tensor_get_shape (one);
  const DynoShape *b = dyno_tensor_get_shape (other);

  return a->rank == b->rank && memcmp (a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

static gboolean
is_number (DynoTensor *tensor)
{
  return dyno_data_type_is_number (dyno_tensor_get_shape (tensor)->type);
}

static gboolean
check_sizes (DynoTensor *output, DynoTensor *expected, const char *whose, GError **error)
{
  g_autofree char *expected_shape = NULL;
  g_autofree char *given = NULL;

  if (output != NULL && has_same_sizes (output, expected) && is_number (output) == is_number (expected) &&
      (dyno_tensor_is_real (output) || !dyno_tensor_is_real (expected)))
    return TRUE;
  expected_shape = dyno_shape_to_string (dyno_tensor_get_shape (expected));
  given = output != NULL ? dyno_shape_to_string (dyno_tensor_get_shape (output)) : g_strdup (_ ("nothing"));
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               /* Translators: the last text is whose output it should be, as “that of the CPU backend” */
               _ ("The output “%s” is %s instead of %s, which is %s: the engine did different work, so its "
                  "speed means nothing."),
               dyno_tensor_get_name (expected), given, expected_shape, whose);
  return FALSE;
}

/* Returns the largest deviation relative to the largest finite expected number. */
static double
measure_error (DynoTensor *output, DynoTensor *expected, gint64 *where)
{
  gint64 n = dyno_shape_count (dyno_tensor_get_shape (expected));
  double scale = 0, worst = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double right = dyno_tensor_get_number (expected, i);
      double given = dyno_tensor_get_number (output, i);
      double deviation = (isnan (given) ? isnan (right) : given == right) ? 0 : fabs (given - right);

      scale = isfinite (right) ? fmax (scale, fabs (right)) : scale;
      if (deviation <= worst)
        continue;
      worst = deviation;
      *where = i;
      if (!isfinite (deviation))
        return INFINITY;
    }
  return worst > 0 ? worst / scale : 0;
}

gboolean
dyno_output_compare (GPtrArray *outputs,
                     GPtrArray *expected,
                     const char *whose,
                     double tolerance,
                     double *max_error,
                     GError **error)
{
  gboolean compared = FALSE;

  *max_error = 0;
  for (guint i = 0; i < expected->len; i++)
    {
      DynoTensor *tensor = g_ptr_array_index (expected, i);
      DynoTensor *output = dyno_output_find (outputs, dyno_tensor_get_name (tensor));

      /* A cache in 8 bits has other numbers, and shows in the answer that is computed with it. */
      if (output != NULL && dyno_tensor_get_shape (output)->type == DYNO_DATA_TYPE_INT8 &&
          dyno_tensor_is_real (tensor) && g_str_has_prefix (dyno_tensor_get_name (tensor), "present."))
        continue;
      if (!check_sizes (output, tensor, whose, error))
        return FALSE;
      if (!dyno_tensor_is_real (tensor))
        continue;
      compared = TRUE;

      gint64 where = 0;
      double deviation = measure_error (output, tensor, &where);

      *max_error = fmax (*max_error, deviation);
      if (deviation <= tolerance)
        continue;
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
          /* Translators: the second text is whose output it should be, as “that of the CPU backend” */
          _ ("The output “%s” differs from %s by %.2g of its scale, at element %" PRId64
             " (%g instead of %g), where %.2g is allowed. The answer is wrong, so its speed means "
             "nothing."),
          dyno_tensor_get_name (tensor), whose, deviation, where, dyno_tensor_get_number (output, where),
          dyno_tensor_get_number (tensor, where), tolerance);
      return FALSE;
    }
  if (!compared)
    *max_error = NAN;
  return TRUE;
}

void
dyno_output_leave_out (DynoMeasurement *measurement, GPtrArray *outputs, GPtrArray *expected)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  g_autofree char *message = NULL;

  for (guint i = expected->len; i > 0; i--)
    {
      const char *name = dyno_tensor_get_name (expected->pdata[i - 1]);

      /* Every engine that runs a model can return outputs of the usual types. */
      if (dyno_output_find (outputs, name) != NULL ||
          !(dyno_tensor_get_shape (expected->pdata[i - 1])->type == DYNO_DATA_TYPE_STRING ||
            dyno_tensor_get_shape (expected->pdata[i - 1])->type > DYNO_DATA_TYPE_BFLOAT16))
        continue;
      g_ptr_array_insert (names, 0, g_strdup (name));
      g_ptr_array_remove_index (expected, i - 1);
    }
  if (names->len == 0)
    return;
  joined = dyno_plain_text_join ((const char *const *)names->pdata, names->len, ", ", "");
  message = g_strdup_printf (
      _ ("Dyno cannot fetch these outputs from this engine, so nobody knows whether they are right: %s."),
      joined);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "outputs-not-compared", message);
}

double
dyno_output_get_cosine (GPtrArray *outputs, GPtrArray *expected)
{
  double smallest = NAN;

  for (guint i = 0; i < expected->len; i++)
    {
      DynoTensor *tensor = g_ptr_array_index (expected, i);
      DynoTensor *output = dyno_output_find (outputs, dyno_tensor_get_name (tensor));

      if (output != NULL && dyno_tensor_is_real (tensor) && dyno_tensor_is_real (output) &&
          has_same_sizes (output, tensor))
        {
          gint64 n = dyno_shape_count (dyno_tensor_get_shape (tensor));
          double dot = 0, square = 0, expected_square = 0;

          for (gint64 k = 0; k < n; k++)
            {
              double a = dyno_tensor_get_number (output, k);
              double b = dyno_tensor_get_number (tensor, k);

              dot += a * b;
              square += a * a;
              expected_square += b * b;
            }
          smallest = fmin (smallest, dot / sqrt (square * expected_square));
        }
    }
  return smallest;
}

void
dyno_output_keep_next (GPtrArray *outputs)
{
  DynoTensor *all = dyno_output_find (outputs, "logits");
  const DynoShape *shape = all != NULL ? dyno_tensor_get_shape (all) : NULL;
  DynoTensor *next;

  if (shape == NULL || shape->rank != 3)
    return;

  const DynoShape of_next = { DYNO_DATA_TYPE_FLOAT, 3, { shape->dims[0], 1, shape->dims[2] } };
  gint64 n = shape->dims[2], n_tokens = shape->dims[1];

  next = dyno_tensor_new ("logits", &of_next);
  for (gint64 item = 0; item < shape->dims[0]; item++)
    for (gint64 i = 0; i < n; i++)
      dyno_tensor_set_number (next, item * n + i,
                              dyno_tensor_get_number (all, ((item + 1) * n_tokens - 1) * n + i));
  g_ptr_array_set_size (outputs, 0);
  g_ptr_array_add (outputs, next);
}

/* ln Σ exp (x) of the numbers from @first on; the largest is subtracted first to avoid an overflow. */
static double
log_sum_exp (DynoTensor *tensor, gint64 first, gint64 n)
{
  double largest = -INFINITY, sum = 0;

  for (gint64 i = 0; i < n; i++)
    largest = fmax (largest, dyno_tensor_get_number (tensor, first + i));
  for (gint64 i = 0; i < n; i++)
    sum += exp (dyno_tensor_get_number (tensor, first + i) - largest);
  return largest + log (sum);
}

/* Σ p ln (p / q), where p and q are the softmax of the scores. */
static double
measure_divergence (DynoTensor *logits, DynoTensor *expected, gint64 first, gint64 n)
{
  double norm = log_sum_exp (logits, first, n);
  double expected_norm = log_sum_exp (expected, first, n);
  double divergence = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double log_p = dyno_tensor_get_number (expected, first + i) - expected_norm;
      double log_q = dyno_tensor_get_number (logits, first + i) - norm;

      divergence += exp (log_p) * (log_p - log_q);
    }
  return fmax (divergence, 0); /* rounding can make it negative */
}

double
dyno_output_get_divergence (DynoTensor *logits, DynoTensor *expected)
{
  const DynoShape *shape = expected != NULL ? dyno_tensor_get_shape (expected) : NULL;
  gint64 n_tokens, n;
  double sum = 0;

  if (logits == NULL || shape == NULL || shape->rank < 2 || !dyno_tensor_is_real (logits) ||
      !dyno_tensor_is_real (expected) || !has_same_sizes (logits, expected))
    return NAN;
  n_tokens = shape->dims[shape->rank - 1];
  n = dyno_shape_count (shape);
  for (gint64 i = 0; n_tokens > 0 && i < n; i += n_tokens)
    sum += measure_divergence (logits, expected, i, n_tokens);
  return n > 0 ? sum / (double)(n / n_tokens) : NAN;
}
