/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-model-graph-private.h"
#include "dyno-model-private.h"

/* More sizes than anybody needs of one model at a time. */
#define MAX_ESTIMATES 64

/* The needs of the graphs of a model at given sizes, all estimated at once, so that the graphs are built
 * once and not kept. */
typedef struct
{
  gint64 computed; /* bytes that live at once in a step */
  gint64 planned;  /* the part of them for which a runtime plans places; 0 for a file */
  char *largest;   /* the largest of its outputs, in words; empty if no size is known */
  gint64 flops;
  gboolean has_flops;
  GArray *products; /* of DynoGraphProduct; %NULL for a file, whose shapes are known only at run time */
} Estimate;

static void
estimate_clear (gpointer data)
{
  Estimate *self = data;

  g_free (self->largest);
  g_clear_pointer (&self->products, g_array_unref);
}

static void
estimate_release (Estimate *self)
{
  g_atomic_rc_box_release_full (self, estimate_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Estimate, estimate_release)

/* Saturates instead of becoming negative. */
static gint64
add_bytes (gint64 first, gint64 second)
{
  gint64 sum;

  return __builtin_add_overflow (first, second, &sum) ? G_MAXINT64 : sum;
}

/* In a graph that Dyno builds, all sizes follow from those of the inputs. */
static gboolean
get_output_shape (GPtrArray *graphs, DynoBinding *binding, DynoTensorInfo *info, DynoShape *shape)
{
  const char *name = dyno_tensor_info_get_name (info);

  if (graphs == NULL)
    return dyno_binding_get_shape (binding, info, shape);
  for (guint i = 0; i < graphs->len; i++)
    {
      GPtrArray *outputs = dyno_graph_get_outputs (graphs->pdata[i]);

      for (guint k = 0; k < outputs->len; k++)
        if (g_str_equal (dyno_tensor_info_get_name (outputs->pdata[k]), name))
          {
            *shape = *dyno_graph_get_shape (graphs->pdata[i], name);
            return TRUE;
          }
    }
  g_return_val_if_reached (FALSE);
}

/* Work of a repeated stage counts once for each iteration. */
static void
sum_work (DynoModel *self, GPtrArray *graphs, DynoBinding *binding, Estimate *estimate)
{
  estimate->has_flops = TRUE;
  estimate->products = g_array_new (FALSE, FALSE, sizeof (DynoGraphProduct));
  for (guint i = 0; i < graphs->len; i++)
    {
      GArray *products = dyno_graph_get_products (graphs->pdata[i]);
      gint64 n_times = dyno_architecture_count_times (self->architecture, i, binding), once;

      if (estimate->has_flops &&
          (!dyno_graph_get_flops (graphs->pdata[i], &once) || __builtin_mul_overflow (once, n_times, &once) ||
           __builtin_add_overflow (estimate->flops, once, &estimate->flops)))
        estimate->has_flops = FALSE;
      for (gint64 time = 0; time < n_times; time++)
        g_array_append_vals (estimate->products, products->data, products->len);
    }
}

static double
get_size (DynoBinding *binding, const char *symbol)
{
  const gint64 *size = g_hash_table_lookup (binding, symbol);

  return size != NULL ? (double)*size : 0;
}

/* The work of a GGUF file follows from its matrices and the sizes of its attention. All tokens of a step share one
 * reading of the weights, and each expert is read once at most. */
static void
sum_header (const DynoModelDescription *description, DynoBinding *binding, Estimate *estimate)
{
  double n_items = get_size (binding, "batch");
  double n_tokens = n_items * get_size (binding, "sequence");
  double n_seen = get_size (binding, "past_sequence") + get_size (binding, "sequence");
  const double tokens[DYNO_N_WEIGHT_USES] = { n_tokens, n_tokens * description->expert_share, n_items };
  const double read[DYNO_N_WEIGHT_USES] = { 1, fmin (1, n_tokens * description->expert_share), 1 };
  DynoGraphProduct attention = { 2 * n_tokens * n_seen * description->attention_width,
                                 (double)dyno_binding_sum_bytes (binding, description->inputs) };
  double flops = attention.flops;

  estimate->products = g_array_new (FALSE, FALSE, sizeof (DynoGraphProduct));
  for (guint use = 0; use < DYNO_N_WEIGHT_USES; use++)
    {
      DynoGraphProduct product = { 2 * description->product_weights[use] * tokens[use],
                                   description->product_bytes[use] * read[use] };

      flops += product.flops;
      if (product.flops > 0)
        g_array_append_val (estimate->products, product);
    }
  g_array_append_val (estimate->products, attention);
  estimate->has_flops = flops < (double)G_MAXINT64;
  estimate->flops = estimate->has_flops ? (gint64)flops : 0;
}

static Estimate *
make_estimate (DynoModel *self, DynoBinding *binding, GPtrArray *graphs)
{
  Estimate *estimate = g_atomic_rc_box_new0 (Estimate);
  GPtrArray *outputs = dyno_model_get_description (self)->outputs;
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 largest = -1;

  /* The computed values: for a graph that Dyno builds, all that exist at the same time; for a file, at least
   * its outputs. */
  if (graphs == NULL)
    estimate->computed = dyno_binding_sum_bytes (binding, outputs);
  for (guint i = 0; graphs != NULL && i < graphs->len; i++)
    {
      gint64 planned, computed = dyno_graph_get_peak_bytes (graphs->pdata[i], &planned);

      estimate->computed = add_bytes (estimate->computed, computed);
      estimate->planned = add_bytes (estimate->planned, planned);
    }

  /* The description of the largest output is empty if no size is known. */
  for (guint i = 0; i < outputs->len; i++)
    {
      DynoShape shape;

      if (!get_output_shape (graphs, binding, outputs->pdata[i], &shape) ||
          dyno_shape_bytes (&shape) <= largest)
        continue;
      largest = dyno_shape_bytes (&shape);
      g_string_printf (text, "%s ", dyno_tensor_info_get_name (outputs->pdata[i]));
      for (guint axis = 0; axis < shape.rank; axis++)
        g_string_append_printf (text, "%" G_GINT64_FORMAT " × ", shape.dims[axis]);
      g_string_append_printf (text, "%" G_GSIZE_FORMAT " B", dyno_data_type_get_size (shape.type));
    }
  estimate->largest = g_string_free (g_steal_pointer (&text), FALSE);
  if (graphs != NULL)
    sum_work (self, graphs, binding, estimate);
  else if (dyno_model_get_format (self) == DYNO_MODEL_FORMAT_GGUF)
    sum_header (dyno_model_get_description (self), binding, estimate);
  return estimate;
}

static char *
dup_sizes (DynoBinding *binding)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (binding), (GCompareFunc)strcmp);
  GString *text = g_string_new (NULL);

  for (GList *l = names; l != NULL; l = l->next)
    g_string_append_printf (text, "%s=%" G_GINT64_FORMAT ",", (const char *)l->data,
                            *(const gint64 *)g_hash_table_lookup (binding, l->data));
  return g_string_free (text, FALSE);
}

static void
remember_estimate (DynoModel *self, const char *sizes, Estimate *estimate)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->estimates == NULL)
    self->estimates =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)estimate_release);
  if (g_hash_table_size (self->estimates) == MAX_ESTIMATES)
    g_hash_table_remove_all (self->estimates);
  g_hash_table_replace (self->estimates, g_strdup (sizes), g_atomic_rc_box_acquire (estimate));
}

/* The estimate of a case is needed several times, and other cases often differ only in backend and
 * threads. */
static Estimate *
get_estimate (DynoModel *self, DynoBinding *binding)
{
  g_autofree char *sizes = dup_sizes (binding);
  g_autoptr (GPtrArray) graphs = NULL;
  Estimate *estimate;

  g_mutex_lock (&self->mutex);
  estimate = self->estimates != NULL ? g_hash_table_lookup (self->estimates, sizes) : NULL;
  if (estimate != NULL)
    g_atomic_rc_box_acquire (estimate);
  g_mutex_unlock (&self->mutex);
  if (estimate != NULL)
    return estimate;
  graphs = self->architecture != NULL && !self->is_gguf ? dyno_model_build (self, binding, TRUE, NULL) : NULL;
  estimate = make_estimate (self, binding, graphs);
  remember_estimate (self, sizes, estimate);
  return estimate;
}

/* Keeps the estimates of graphs that were built for another reason, at the sizes of the binding. */
void
dyno_model_estimates_keep (DynoModel *self, DynoBinding *binding, GPtrArray *graphs)
{
  g_autofree char *sizes = dup_sizes (binding);
  g_autoptr (Estimate) estimate = make_estimate (self, binding, graphs);

  remember_estimate (self, sizes, estimate);
}

/* Each stage has its own copy of the weights it needs. */
static gint64
get_loaded_bytes (DynoModel *self)
{
  return add_bytes (dyno_model_get_description (self)->weight_bytes,
                    dyno_model_get_description (self)->duplicate_bytes);
}

gint64
dyno_model_estimate_memory (DynoModel *self, DynoBinding *binding, char **arithmetic)
{
  g_autoptr (Estimate) estimate = NULL;
  gint64 weights, inputs;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  estimate = get_estimate (self, binding);
  weights = get_loaded_bytes (self);
  inputs = dyno_binding_sum_bytes (binding, dyno_model_get_description (self)->inputs);
  if (arithmetic != NULL)
    {
      g_autofree char *weights_text = g_format_size ((guint64)weights);
      g_autofree char *inputs_text = g_format_size ((guint64)inputs);
      g_autofree char *computed_text = g_format_size ((guint64)estimate->computed);
      g_autofree char *planned_text = g_format_size ((guint64)estimate->planned);
      g_autofree char *sum =
          g_strdup_printf (_ ("%s of weights × 2 while loading + %s of inputs + %s of results at once"),
                           weights_text, inputs_text, computed_text);
      g_autofree char *longer = g_strdup_printf (
          /* Translators: a sum of memory, and one more part of it */
          _ ("%s + %s planned for them from the second step on"), sum, planned_text);
      const char *whole = estimate->planned > 0 ? longer : sum;

      *arithmetic =
          *estimate->largest != '\0'
              ? g_strdup_printf (
                    /* Translators: a sum of memory, and the largest of the outputs with its sizes */
                    _ ("%s (largest output: %s)"), whole, estimate->largest)
              : g_strdup (whole);
    }
  return add_bytes (2 * weights, add_bytes (inputs, add_bytes (estimate->computed, estimate->planned)));
}

gint64
dyno_model_estimate_device_memory (DynoModel *self, DynoBinding *binding, char **arithmetic)
{
  g_autoptr (Estimate) estimate = NULL;
  gint64 weights, rest;
  g_autofree char *weights_text = NULL;
  g_autofree char *rest_text = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  weights = get_loaded_bytes (self);
  estimate = get_estimate (self, binding);
  rest = add_bytes (dyno_binding_sum_bytes (binding, dyno_model_get_description (self)->inputs),
                    estimate->computed);
  if (arithmetic != NULL)
    {
      weights_text = g_format_size (weights);
      rest_text = g_format_size (rest);
      *arithmetic =
          g_strdup_printf (_ ("%s of weights + %s of inputs and results at once"), weights_text, rest_text);
    }
  return add_bytes (weights, rest);
}

gboolean
dyno_model_estimate_flops (DynoModel *self, DynoBinding *binding, gint64 *flops)
{
  g_autoptr (Estimate) estimate = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);
  g_return_val_if_fail (binding != NULL && flops != NULL, FALSE);

  estimate = get_estimate (self, binding);
  *flops = estimate->flops;
  return estimate->has_flops;
}

GArray *
dyno_model_list_products (DynoModel *self, DynoBinding *binding)
{
  g_autoptr (Estimate) estimate = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);
  g_return_val_if_fail (binding != NULL, NULL);

  estimate = get_estimate (self, binding);
  return estimate->products != NULL ? g_array_ref (estimate->products) : NULL;
}
