/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-operator-cost.h"

#define FLOPS_SOURCE "operators' rules on actual shapes, 2 per multiply-add"
#define BYTES_SOURCE "size of operands and results as executed: a model of traffic, not a counter"
#define FROM_CPU     " (by the CPU backend, on the same model)"

/* Work and traffic of a step, counted operator by operator from actual shapes, and where the time goes. */
G_DECLARE_FINAL_TYPE (DynoFlopsMetric, dyno_flops_metric, DYNO, FLOPS_METRIC, DynoMetric)

struct _DynoFlopsMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoFlopsMetric, dyno_flops_metric, DYNO_TYPE_METRIC)

static DynoNodeShapes
shapes_of (DynoMeasurement *measurement, const DynoNodeProfile *node)
{
  return (DynoNodeShapes){
    .op_type = node->op_type,
    .inputs = node->inputs,
    .outputs = node->outputs,
    .kernel_elements = dyno_model_get_window_elements (measurement->model, node->name),
  };
}

static gboolean
has_shapes (const DynoNodeProfile *node)
{
  return node->inputs != NULL && node->outputs != NULL && node->outputs->len > 0;
}

/* Adds up one step, of all its requests; operators no rule counts are named in @unknown instead. */
static double
count_step (DynoMeasurement *measurement, GHashTable *unknown)
{
  double total = 0;

  for (guint i = 0; i < measurement->shapes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (measurement->shapes, i);
      DynoNodeShapes shapes = shapes_of (measurement, node);
      gint64 flops;

      if (has_shapes (node) && dyno_operator_cost_flops (&shapes, &flops))
        total += (double)flops * (double)node->calls;
      else
        g_hash_table_add (unknown, node->op_type);
    }
  return total * measurement->n_requests;
}

static void
report_unknown (DynoMeasurement *measurement, GHashTable *unknown)
{
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (unknown), (GCompareFunc)strcmp);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *message = NULL;

  for (GList *l = types; l != NULL; l = l->next)
    g_string_append_printf (names, "%s%s", l == types ? "" : ", ", (const char *)l->data);
  message = g_strdup_printf (_ ("Not counted (no cost rule): %s."), names->str);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_WARNING, "unknown-operators", message);
}

/* Requests under load overlap: what counts is how many were answered. */
static double
median_seconds (DynoMeasurement *measurement)
{
  gsize n = measurement->steady_end - measurement->steady_first;
  g_autofree double *values =
      dyno_samples_to_milliseconds (measurement->samples, measurement->steady_first, measurement->steady_end,
                                    measurement->steps_per_sample);

  if (measurement->load != NULL)
    return (double)measurement->steady_wall_ns / 1e9 / dyno_measurement_count_steady_steps (measurement);
  dyno_stats_sort (values, n);
  return n > 0 ? dyno_stats_percentile (values, n, 50) / 1e3 : NAN;
}

static const char *
get_flops_source (DynoMeasurement *measurement)
{
  return measurement->shapes_from_cpu ? FLOPS_SOURCE FROM_CPU : FLOPS_SOURCE;
}

static const char *
get_bytes_source (DynoMeasurement *measurement)
{
  return measurement->traffic_from_cpu ? BYTES_SOURCE FROM_CPU : BYTES_SOURCE;
}

static void
add_flops_per_second (DynoMeasurement *measurement, double flops)
{
  g_autofree char *source = g_strconcat (get_flops_source (measurement), ", over the median latency", NULL);

  if (measurement->n_generated > 0)
    dyno_measurement_add_unsupported (
        measurement, "flops_per_sec", "FLOP/s",
        _ ("Steps of a generation differ in work; measure without generating tokens."));
  else
    dyno_measurement_add_settled (measurement, "flops_per_sec", flops / median_seconds (measurement),
                                  "FLOP/s", DYNO_QUALITY_ESTIMATED, source);
}

static double
add_flops (DynoMeasurement *measurement)
{
  g_autoptr (GHashTable) unknown = g_hash_table_new (g_str_hash, g_str_equal);
  double flops;

  if (measurement->shapes == NULL)
    {
      const char *reason = _ ("The backend does not report operator shapes.");

      dyno_measurement_add_unsupported (measurement, "flops", "FLOP", reason);
      dyno_measurement_add_unsupported (measurement, "flops_per_sec", "FLOP/s", reason);
      return NAN;
    }
  flops = count_step (measurement, unknown);
  if (g_hash_table_size (unknown) > 0)
    report_unknown (measurement, unknown);
  dyno_measurement_add_estimated (measurement, "flops", flops, "FLOP", get_flops_source (measurement));
  add_flops_per_second (measurement, flops);
  return flops;
}

static DynoOperator *
create_operator (DynoMeasurement *measurement, const DynoNodeProfile *node)
{
  DynoOperator *op = dyno_operator_new (node->name, node->op_type, node->provider);
  DynoNodeShapes shapes = shapes_of (measurement, node);
  gint64 flops;

  dyno_operator_set_calls (op, node->calls);
  dyno_operator_set_time_ns (op, node->time_ns);
  if (!has_shapes (node))
    return op;
  if (dyno_operator_cost_flops (&shapes, &flops))
    dyno_operator_set_flops (op, flops);
  dyno_operator_set_bytes (op, dyno_operator_cost_bytes (&shapes));
  return op;
}

/* Work that a device does later has a time only if the device reports it. */
static void
report_untimed (DynoMeasurement *measurement, guint n_untimed, const char *provider)
{
  g_autofree char *message =
      g_strdup_printf (_ ("%u of %u operators have no time: they are handed over to %s, and the engine does "
                          "not tell how long each takes there."),
                       n_untimed, measurement->profile->len, provider != NULL ? provider : _ ("a device"));

  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "untimed-operators", message);
}

static void
add_operators (DynoMeasurement *measurement)
{
  const char *provider = NULL;
  guint n_untimed = 0;

  for (guint i = 0; measurement->profile != NULL && i < measurement->profile->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (measurement->profile, i);

      dyno_measurement_take_operator (measurement, create_operator (measurement, node));
      if (node->time_ns >= 0)
        continue;
      n_untimed++;
      provider = node->provider;
    }
  if (n_untimed > 0)
    report_untimed (measurement, n_untimed, provider);
}

/* Returns the bytes of one step, of all its requests. */
static double
count_bytes (DynoMeasurement *measurement)
{
  double bytes = 0;

  for (guint i = 0; i < measurement->traffic->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (measurement->traffic, i);
      DynoNodeShapes shapes = shapes_of (measurement, node);

      if (has_shapes (node))
        bytes += (double)dyno_operator_cost_bytes (&shapes) * (double)node->calls;
    }
  return bytes / measurement->traffic_steps * measurement->n_requests;
}

static void
add_bytes (DynoMeasurement *measurement, double flops)
{
  g_autofree char *both = NULL;
  double bytes;

  if (measurement->traffic == NULL)
    {
      const char *reason = _ ("The backend does not report what its operators read and write.");

      dyno_measurement_add_unsupported (measurement, "bytes_per_step", "B", reason);
      dyno_measurement_add_unsupported (measurement, "arithmetic_intensity_flops_per_byte", "FLOP/B", reason);
      return;
    }
  bytes = count_bytes (measurement);
  dyno_measurement_add_estimated (measurement, "bytes_per_step", bytes, "B", get_bytes_source (measurement));
  both = g_strconcat (get_flops_source (measurement), "; ", get_bytes_source (measurement), NULL);
  if (isfinite (flops) && bytes > 0)
    dyno_measurement_add_estimated (measurement, "arithmetic_intensity_flops_per_byte", flops / bytes,
                                    "FLOP/B", both);
}

static void
dyno_flops_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  add_operators (measurement);
  add_bytes (measurement, add_flops (measurement));
}

static const DynoMetricValue known_values[] = {
  { "flops", N_ ("FLOPs per step"), TRUE },
  { "flops_per_sec", N_ ("Compute throughput"), TRUE, TRUE },
  { "bytes_per_step", N_ ("Bytes per step"), TRUE },
  { "arithmetic_intensity_flops_per_byte", N_ ("Arithmetic intensity"), TRUE },
  { NULL },
};

static void
dyno_flops_metric_class_init (DynoFlopsMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "flops";
  metric_class->values = known_values;
  metric_class->once = TRUE;
  metric_class->collect = dyno_flops_metric_collect;
}

static void
dyno_flops_metric_init (DynoFlopsMetric *self)
{
}
