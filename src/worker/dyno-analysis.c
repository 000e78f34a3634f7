/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-manifest.h"
#include "dyno-precision.h"
#include "dyno-text.h"
#include "dyno-worker-private.h"

/* Enough steps for stable shares, but few enough for a large model to finish soon. */
#define MAX_PROFILE_STEPS 10
#define MAX_PROFILE_NS    (2 * G_GINT64_CONSTANT (1000000000))

/* The most branches that a note names. */
#define MAX_BRANCHES 6

/* The steps of one kind, and their analysis. */
typedef struct
{
  const DynoAnalysis *of;
  gboolean decodes;
  DynoStepAnalysis *found;
} Steps;

/* The profile skips the first run if there are others. For steps that decode, that run is the step over the
 * prompt. */
static GPtrArray *
profile (const Steps *steps,
         const DynoSessionOptions *options,
         guint max_steps,
         guint *n_steps,
         GPtrArray **values,
         GError **error)
{
  g_autoptr (DynoSession) session =
      *steps->of->profiled != NULL
          ? g_steal_pointer (steps->of->profiled)
          : dyno_backend_open (steps->of->backend, steps->of->onnx_path, options, error);
  GPtrArray *nodes;
  gint64 began;

  if (session == NULL || !(steps->decodes ? dyno_workload_prepare_decode (steps->of->workload, session, error)
                                          : dyno_workload_prepare (steps->of->workload, session, error)))
    return NULL;
  began = dyno_clock_now_ns ();
  while (*n_steps < max_steps && (*n_steps == 0 || dyno_clock_now_ns () - began < MAX_PROFILE_NS))
    {
      if (!dyno_session_run (session, error))
        return NULL;
      *n_steps += 1;
    }
  if (!steps->decodes)
    *n_steps = MAX (*n_steps - 1, 1);
  nodes = dyno_session_end_profile (session, error);
  if (values != NULL)
    *values = dyno_session_get_profile_values (session);
  return nodes;
}

static gboolean
has_shapes (GPtrArray *nodes)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (nodes, i);

      if (node->outputs != NULL && node->outputs->len > 0)
        return TRUE;
    }
  return FALSE;
}

/* Prepacked weights are missing from the profile with the real times; a second profile of the same graph has
 * them. */
static void
take_shapes (GPtrArray *profile, GPtrArray *with_weights)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < with_weights->len; i++)
    {
      DynoNodeProfile *node = g_ptr_array_index (with_weights, i);

      g_hash_table_insert (by_name, node->name, node);
    }
  for (guint i = 0; i < profile->len; i++)
    {
      DynoNodeProfile *node = g_ptr_array_index (profile, i);
      DynoNodeProfile *twin = g_hash_table_lookup (by_name, node->name);

      if (twin == NULL || !g_str_equal (twin->op_type, node->op_type))
        continue;
      g_clear_pointer (&node->inputs, g_array_unref);
      node->inputs = g_array_ref (twin->inputs);
    }
}

/* Returns the precision of a product or a convolution, by the trace or by its operator; NULL for other operators. Only
 * ONNX Runtime names operators as ONNX does: those without a kernel for integers are fed with real numbers. */
static const char *
get_product_precision (const DynoNodeProfile *node, const char *asked)
{
  static const char *const traced[] = { "Convolution", "FullyConnected", "MatMul", NULL };
  static const char *const real[] = { "Conv",        "ConvTranspose", "FusedConv", "FusedGemm",
                                      "FusedMatMul", "Gemm",          "MatMul",    NULL };
  static const char *const whole[] = { "ConvInteger",   "DynamicQuantizeMatMul",
                                       "MatMulInteger", "MatMulIntegerToFloat",
                                       "QGemm",         "QLinearConv",
                                       "QLinearMatMul", NULL };

  if (node->precision != NULL)
    return g_strv_contains (traced, node->op_type) ? node->precision : NULL;
  if (!g_str_equal (asked, "int8") || node->provider == NULL)
    return NULL;
  if (g_strv_contains (whole, node->op_type))
    return asked;
  return g_strv_contains (real, node->op_type) && node->inputs != NULL && node->inputs->len > 0
             ? dyno_precision_from_type (g_array_index (node->inputs, DynoShape, 0).type)
             : NULL;
}

/* Returns that of the stage to which the node belongs, or of the model. */
static const char *
get_asked_precision (const DynoSessionOptions *options, const char *node)
{
  for (guint i = 0; options->stages != NULL && i < options->stages->len; i++)
    {
      const DynoStageOptions *own = options->stages->pdata[i];

      if (dyno_manifest_is_node_of (node, own->name))
        return own->precision;
    }
  return options->precision;
}

/* The requested precision is that of the model; an engine may convert it, which only its trace shows. */
static void
check_products (const DynoAnalysis *self, DynoMeasurement *measurement)
{
  GPtrArray *nodes = measurement->analysis.profile;
  gint64 total_ns = 0, other_ns = 0;
  const char *other = NULL;
  g_autofree char *message = NULL;

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (nodes, i);
      const char *asked = get_asked_precision (self->options, node->name);
      const char *precision = get_product_precision (node, asked);

      if (precision == NULL)
        continue;
      total_ns += node->time_ns;
      if (g_str_equal (precision, asked))
        continue;
      other_ns += node->time_ns;
      other = precision;
    }
  if (2 * other_ns <= total_ns)
    return;
  message = g_strdup_printf (_ ("The case asks for products in %s, but by the engine’s trace %.0f %% of "
                                "their time was spent in %s: that is what was measured."),
                             self->options->precision, 100 * (double)other_ns / (double)total_ns, other);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "products-converted", message);
}

/* Without the shapes of the weights the bytes would be wrong, so it is all shapes or none. */
static gboolean
find_times (const Steps *steps, GError **error)
{
  DynoSessionOptions options = *steps->of->options;
  DynoStepAnalysis *found = steps->found;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) with_weights = NULL;
  guint n_steps = 0;

  options.profile = TRUE;
  nodes = profile (steps, &options, MAX_PROFILE_STEPS, &found->profile_steps, &found->profile_values, error);
  if (nodes == NULL)
    return FALSE;
  if (has_shapes (nodes) && !dyno_session_options_are_mixed (&options))
    {
      options.plain_weights = TRUE;
      with_weights = profile (steps, &options, 1, &n_steps, NULL, error);
      if (with_weights == NULL)
        return FALSE;
      take_shapes (nodes, with_weights);
      found->traffic = g_ptr_array_ref (nodes);
      found->traffic_steps = found->profile_steps;
    }
  found->profile = g_steal_pointer (&nodes);
  return TRUE;
}

static gboolean
find_shapes (const Steps *steps, GError **error)
{
  DynoSessionOptions options = *steps->of->options;
  g_autoptr (GPtrArray) nodes = NULL;
  guint n_steps = 0;

  options.profile = TRUE;
  options.plain_weights = TRUE;
  options.optimise = FALSE;
  nodes = profile (steps, &options, 1, &n_steps, NULL, error);
  if (nodes == NULL)
    return FALSE;
  if (has_shapes (nodes) && !dyno_session_options_are_mixed (&options))
    steps->found->shapes = g_steal_pointer (&nodes);
  return TRUE;
}

static gboolean
analyse (const Steps *steps, GError **error)
{
  DynoStepAnalysis *found = steps->found;
  gboolean is_good = find_times (steps, error) && (found->shapes != NULL || find_shapes (steps, error));

  if (found->traffic == NULL && found->shapes_from_cpu)
    {
      /* The traffic of the CPU backend, which optimises the same graph in its own way, stands in for traffic
       * that the engine does not report. */
      const DynoAnalysis *self = steps->of;

      found->traffic =
          dyno_reference_profile (self->onnx_path, self->options, self->workload, steps->decodes, TRUE, NULL);
      found->traffic_steps = 1;
      found->traffic_from_cpu = TRUE;
    }
  return is_good;
}

/* Uses the same means as for the prompt: if the CPU backend could run that, it can run one token. */
static gboolean
analyse_decoding (const DynoAnalysis *self, DynoMeasurement *measurement, GError **error)
{
  const Steps steps = { self, TRUE, &measurement->decode_analysis };

  if (measurement->analysis.shapes_from_cpu)
    {
      steps.found->shapes =
          dyno_reference_profile (self->onnx_path, self->options, self->workload, TRUE, FALSE, error);
      steps.found->shapes_from_cpu = steps.found->shapes != NULL;
      if (steps.found->shapes == NULL)
        return FALSE;
    }
  return analyse (&steps, error);
}

static char *
describe_branch (const char *branch, guint n_times)
{
  const char *space = strchr (branch, ' ');
  const char *owner = space != NULL ? space + 1 : branch;

  if (g_str_has_prefix (branch, "then_branch "))
    /* Translators: the name of a node of a graph, whose condition held or not */
    return g_strdup_printf (_ ("“%s” with its condition true"), owner);
  if (g_str_has_prefix (branch, "else_branch "))
    return g_strdup_printf (_ ("“%s” with its condition false"), owner);
  return g_strdup_printf (ngettext ("“%s” %u time", "“%s” %u times", n_times), owner, n_times);
}

/* The branch of an If and the number of rounds of a Loop depend on the values of the inputs, and so does
 * the time of a step. */
static void
report_branches (DynoMeasurement *measurement, GPtrArray *nodes)
{
  /* Maps each branch to how often it ran: as often as its most frequent node. */
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];
      const char *branch = dyno_model_get_branch (measurement->model, node->name);
      guint seen = branch != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, branch)) : 0;

      if (branch != NULL && *branch != '\0')
        g_hash_table_insert (counts, (gpointer)branch, GUINT_TO_POINTER (MAX (seen, node->calls)));
    }

  g_autoptr (GList) branches = g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc)strcmp);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  g_autofree char *message = NULL;

  for (GList *l = branches; l != NULL && texts->len < MAX_BRANCHES; l = l->next)
    g_ptr_array_add (texts,
                     describe_branch (l->data, GPOINTER_TO_UINT (g_hash_table_lookup (counts, l->data))));
  if (texts->len == 0)
    return;
  if (g_hash_table_size (counts) > texts->len)
    g_ptr_array_add (texts, g_strdup ("…"));
  joined = dyno_plain_text_join ((const char *const *)texts->pdata, texts->len, ", ", "");
  message = g_strdup_printf (
      /* Translators: a list such as “cond” with its condition true, “loop” 7 times */
      _ ("The graph chooses by its inputs what it computes, and a step ran %s. With other inputs (--input) "
         "it may take another time."),
      joined);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "branches", message);
}

void
dyno_analysis_run (const DynoAnalysis *self, DynoMeasurement *measurement)
{
  const Steps steps = { self, FALSE, &measurement->analysis };
  g_autoptr (GError) error = NULL;

  if (!analyse (&steps, &error) ||
      (measurement->n_generated > 1 && !analyse_decoding (self, measurement, &error)))
    {
      /* No warning for an engine that never records operators, only for one that failed to record them. */
      g_autofree char *message =
          g_strdup_printf (_ ("The operators could not be analysed: %s"), error->message);

      dyno_measurement_add_diagnostic (measurement,
                                       g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED)
                                           ? DYNO_SEVERITY_INFO
                                           : DYNO_SEVERITY_WARNING,
                                       "no-analysis", message);
    }
  check_products (self, measurement);
  if (measurement->analysis.shapes != NULL)
    report_branches (measurement, measurement->analysis.shapes);
  if (self->activations && measurement->analysis.shapes != NULL &&
      (measurement->analysis.shapes_from_cpu || dyno_reference_is_backend (self->backend, self->options)))
    dyno_activations_check (self, measurement);
}
