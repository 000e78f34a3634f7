/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"

/* Nobody reads a message that names more kinds of operators than this. */
#define MAX_NAMED 12

/* From here on, a share with one digit would look like all of the work. */
#define NEARLY_ALL 99.9

/* The placement of the work: the share of the work and of the operators on the requested device, the names of operators
 * that fell back to another, and the share of convolutions in blocks of channels. Must follow DynoFlopsMetric, whose operators it reads. */
G_DECLARE_FINAL_TYPE (DynoPlacementMetric, dyno_placement_metric, DYNO, PLACEMENT_METRIC, DynoMetric)

struct _DynoPlacementMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoPlacementMetric, dyno_placement_metric, DYNO_TYPE_METRIC)

/* Calls of operators, and their counted work, with the part that ran on the requested device; calls of convolutions on the
 * processor, with the part in blocks of channels. */
typedef struct
{
  double calls;
  double placed_calls;
  double flops;
  double placed_flops;
  double convolutions;
  double blocked;
} Shares;

static gboolean
is_placed (DynoMeasurement *measurement, DynoOperator *op)
{
  return g_strcmp0 (dyno_operator_get_provider (op),
                    dyno_measurement_get_asked_provider (measurement, dyno_operator_get_name (op))) == 0;
}

static void
report (DynoMeasurement *measurement, double percent)
{
  /* Counts the operators of each kind on each provider that was not requested: “Gather (CPUExecutionProvider)”. */
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < measurement->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (measurement->operators, i);
      const char *provider = dyno_operator_get_provider (op);
      char *key;

      if (is_placed (measurement, op))
        continue;
      key = g_strdup_printf ("%s (%s)", dyno_operator_get_op_type (op),
                             provider != NULL ? provider : _ ("placement unknown"));
      g_hash_table_insert (counts, key,
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
    }

  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (counts), (GCompareFunc)g_strcmp0);
  g_autoptr (GString) strays = g_string_new (NULL);
  guint n = 0;

  for (GList *l = keys; l != NULL && n < MAX_NAMED; l = l->next, n++)
    g_string_append_printf (strays, "%s%u × %s", n > 0 ? ", " : "",
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, l->data)), (const char *)l->data);
  if (g_hash_table_size (counts) > n)
    g_string_append (strays, ", …");

  g_autofree char *share = percent < NEARLY_ALL ? g_strdup_printf (_ ("%.1f %%"), percent)
                                                : g_strdup_printf (_ ("More than %.1f %%"), NEARLY_ALL);
  g_autofree char *message =
      g_strdup_printf (_ ("%s of the work ran on the requested device (%s). Elsewhere: %s."), share,
                       measurement->provider, strays->str);

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "fallback", message);
}

static void
dyno_placement_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  Shares shares = { 0 };

  for (guint i = 0; i < measurement->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (measurement->operators, i);
      double calls = (double)dyno_operator_get_calls (op);
      double flops = (double)MAX (dyno_operator_get_flops (op), 0) * calls;

      shares.calls += calls;
      shares.flops += flops;
      if (g_str_has_suffix (dyno_operator_get_op_type (op), "Conv") &&
          g_strcmp0 (dyno_operator_get_provider (op), "CPUExecutionProvider") == 0)
        {
          shares.convolutions += calls;
          shares.blocked += g_strcmp0 (dyno_operator_get_kernel (op), DYNO_KERNEL_BLOCKED) == 0 ? calls : 0;
        }
      if (!is_placed (measurement, op))
        continue;
      shares.placed_calls += calls;
      shares.placed_flops += flops;
    }

  double operators = 100 * shares.placed_calls / shares.calls;
  double percent = shares.flops > 0 ? 100 * shares.placed_flops / shares.flops : operators;

  if (measurement->provider == NULL || shares.calls <= 0)
    {
      const char *reason = measurement->provider == NULL
                               ? _ ("The engine does not report where its operators run.")
                               : _ ("The operators could not be analysed, so their placement is unknown.");

      dyno_measurement_add_unsupported (measurement, "placement_percent", "%", reason);
      dyno_measurement_add_unsupported (measurement, "placement_operators_percent", "%", reason);
      return;
    }
  dyno_measurement_add_measured (
      measurement, "placement_percent", percent, "%",
      shares.flops > 0 ? "share of the counted FLOPs on the asked device, from the engine's profile"
                       : "share of the operators on the asked device, from the engine's profile; "
                         "their FLOPs are not known");
  dyno_measurement_add_measured (measurement, "placement_operators_percent", operators, "%",
                                 "share of the operators on the asked device, from the engine's profile");
  if (shares.convolutions > 0)
    dyno_measurement_add_measured (
        measurement, "blocked_convolutions_percent", 100 * shares.blocked / shares.convolutions, "%",
        "share of the convolutions by the names of their operators in ONNX Runtime's "
        "profile");
  if (shares.placed_calls < shares.calls)
    report (measurement, percent);
}

static const DynoMetricValue known_values[] = {
  { "placement_percent", N_ ("Placement on requested device"), TRUE, TRUE,
    .note = "share of the FLOPs on the requested device, else of the operators" },
  { "placement_operators_percent", N_ ("Operators on requested device"), TRUE, TRUE },
  { "blocked_convolutions_percent", N_ ("Convolutions in blocks of channels"), FALSE, TRUE,
    .note = "share that ran in NCHWc, by ONNX Runtime’s profile of the processor" },
  { NULL },
};

static void
dyno_placement_metric_class_init (DynoPlacementMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "placement";
  metric_class->values = known_values;
  metric_class->analysed = dyno_placement_metric_analysed;
}

static void
dyno_placement_metric_init (DynoPlacementMetric *self)
{
}
