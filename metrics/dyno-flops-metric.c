/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-step-work.h"
#include "dyno-unit.h"

/* Work and traffic of a step, counted operator by operator from actual shapes, and the shares of its time. A step
 * that generates tokens consists of one step over the prompt and the decoding steps. */
G_DECLARE_FINAL_TYPE (DynoFlopsMetric, dyno_flops_metric, DYNO, FLOPS_METRIC, DynoMetric)

struct _DynoFlopsMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoFlopsMetric, dyno_flops_metric, DYNO_TYPE_METRIC)

static guint
count_decodes (DynoMeasurement *measurement)
{
  return MAX (measurement->n_generated, 1) - 1;
}

static double
count_step (DynoMeasurement *measurement, GHashTable *unknown)
{
  guint n_decodes = count_decodes (measurement);
  double flops = dyno_step_work_count_flops (measurement, &measurement->analysis, unknown);

  if (n_decodes == 0)
    return flops;
  return flops + n_decodes * dyno_step_work_count_flops (measurement, &measurement->decode_analysis, unknown);
}

static void
add_no_flops (DynoMeasurement *measurement, const char *reason)
{
  dyno_measurement_add_unsupported (measurement, "flops", "FLOP", reason);
  dyno_measurement_add_unsupported (measurement, "flops_per_sec", "FLOP/s", reason);
}

/* Each token that a server reads or writes is multiplied with each parameter and added up (Kaplan et al., “Scaling
 * laws for neural language models”, 2020); the additional work of attention is left out. */
static double
estimate_served (DynoMeasurement *measurement)
{
  gsize end, first;
  double n_tokens = 0;

  if (measurement->served == NULL || measurement->server->n_parameters == 0)
    return NAN;
  first = dyno_measurement_find_served (measurement, &end);
  for (gsize i = first; i < end; i++)
    {
      const DynoServed *served = measurement->served->pdata[i];

      if (served->prompt_tokens < 0 || served->output_tokens < 0)
        return NAN;
      n_tokens += (double)(served->prompt_tokens - MAX (served->cached_tokens, 0) + served->output_tokens);
    }
  return end > first ? 2 * (double)measurement->server->n_parameters * n_tokens / (double)(end - first) : NAN;
}

/* A part of the work shows neither the rate nor the roof of the whole. */
static void
report_unknown (DynoMeasurement *measurement, GHashTable *unknown, double flops)
{
  g_autoptr (GList) types = g_list_sort (g_hash_table_get_keys (unknown), (GCompareFunc)strcmp);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *least = dyno_unit_format (flops, "FLOP");
  g_autofree char *message = NULL;
  g_autofree char *reason = NULL;

  for (GList *l = types; l != NULL; l = l->next)
    g_string_append_printf (names, "%s%s", l == types ? "" : ", ", (const char *)l->data);
  if (flops > 0)
    reason = g_strdup_printf (
        /* Translators: the names of operators, and an amount of work */
        _ ("No rule counts the work of %s. A step has at least %s."), names->str, least);
  else
    /* Translators: the names of operators */
    reason = g_strdup_printf (_ ("No rule counts the work of %s."), names->str);
  add_no_flops (measurement, reason);
  message = g_strdup_printf (_ ("Not counted (no cost rule): %s."), names->str);
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "unknown-operators", message);
}

static double
add_flops (DynoMeasurement *measurement)
{
  g_autoptr (GHashTable) unknown = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean is_served = measurement->server != NULL;
  double flops = is_served ? estimate_served (measurement) : count_step (measurement, unknown);
  const char *source = is_served
                           ? "two for each parameter that the server told and each token read or written, "
                             "mean of a request; all experts of a mixture count"
                           : dyno_step_work_get_flops_source (&measurement->analysis);
  g_autofree char *over = g_strconcat (source, ", over the median latency", NULL);

  if (!isfinite (flops))
    {
      if (is_served)
        add_no_flops (measurement, measurement->server->n_parameters == 0
                                       ? _ ("The server does not tell how many parameters the model has.")
                                       : _ ("The server does not tell how many tokens it read and wrote."));
      else
        add_no_flops (measurement, measurement->analysis.shapes == NULL
                                       ? _ ("The backend does not report operator shapes.")
                                       : _ ("The decode steps could not be analysed."));
      return NAN;
    }
  if (g_hash_table_size (unknown) > 0)
    {
      report_unknown (measurement, unknown, flops);
      return NAN;
    }
  dyno_measurement_add_estimated (measurement, "flops", flops, "FLOP", source);

  /* The median may be of undisturbed steps. Requests under load overlap, so their number counts. */
  double seconds =
      measurement->load != NULL
          ? (double)measurement->steady_wall_ns / 1e9 / dyno_measurement_count_steady_steps (measurement)
          : dyno_measurement_get_number (measurement, "latency_p50_ms") / 1e3;

  dyno_measurement_add_settled (measurement, "flops_per_sec", flops / seconds, "FLOP/s",
                                DYNO_QUALITY_ESTIMATED, over);
  return flops;
}

/* The work of a node in a number of steps. */
typedef struct
{
  double calls;
  double time_ns;
  double flops;
  double bytes;
} Work;

static Work
scale_work (DynoMeasurement *measurement, const DynoNodeProfile *node, double factor)
{
  DynoNodeShapes shapes = dyno_step_work_get_shapes (measurement, node);
  Work work = { factor * (double)node->calls, -1, -1, -1 };
  gint64 flops;

  if (node->time_ns >= 0)
    work.time_ns = factor * (double)node->time_ns;
  if (!dyno_step_work_has_shapes (node))
    return work;
  if (dyno_operator_cost_flops (&shapes, &flops))
    work.flops = work.calls * (double)flops;
  work.bytes = work.calls * (double)dyno_operator_cost_bytes (&shapes);
  return work;
}

/* If a part is unknown, the whole is unknown. */
static double
add_known (double a, double b)
{
  return a >= 0 && b >= 0 ? a + b : -1;
}

/* Nodes without their own name share one: the first of one profile matches the first of the other. */
static GHashTable *
queue_nodes (GPtrArray *nodes)
{
  GHashTable *queues = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_queue_free);

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      DynoNodeProfile *node = nodes->pdata[i];
      GQueue *queue = g_hash_table_lookup (queues, node->name);

      if (queue == NULL)
        {
          queue = g_queue_new ();
          g_hash_table_insert (queues, node->name, queue);
        }
      g_queue_push_tail (queue, node);
    }
  return queues;
}

/* When generating tokens, an operator has the work of one generation; else that of all recorded steps. */
static void
add_operator (DynoMeasurement *measurement, const DynoNodeProfile *node, const DynoNodeProfile *decoding)
{
  const DynoStepAnalysis *decode_analysis = &measurement->decode_analysis;
  double per_step = decode_analysis->profile != NULL ? 1.0 / measurement->analysis.profile_steps : 1;
  Work work = scale_work (measurement, node, per_step);

  if (decoding != NULL)
    {
      Work more = scale_work (measurement, decoding,
                              (double)count_decodes (measurement) / decode_analysis->profile_steps);

      work = (Work){ work.calls + more.calls, add_known (work.time_ns, more.time_ns),
                     add_known (work.flops, more.flops), add_known (work.bytes, more.bytes) };
    }

  /* Calls and time are totals; work and traffic are averages per call. */
  DynoOperator *op = dyno_operator_new (node->name, node->op_type, node->provider);

  dyno_operator_set_kernel (op, node->kernel);
  dyno_operator_set_calls (op, (gint64)round (work.calls));
  dyno_operator_set_time_ns (op, (gint64)round (work.time_ns));
  if (work.flops >= 0)
    dyno_operator_set_flops (op, (gint64)round (work.flops / work.calls));
  if (work.bytes >= 0)
    dyno_operator_set_bytes (op, (gint64)round (work.bytes / work.calls));
  dyno_measurement_take_operator (measurement, op);
}

static void
add_bytes (DynoMeasurement *measurement, double flops)
{
  guint n_decodes = count_decodes (measurement);
  double bytes = dyno_step_work_count_bytes (measurement, &measurement->analysis, NULL);
  g_autofree char *source = NULL;
  g_autofree char *both = NULL;

  if (n_decodes > 0)
    bytes += n_decodes * dyno_step_work_count_bytes (measurement, &measurement->decode_analysis, NULL);
  if (measurement->given_bytes > 0)
    {
      g_autofree char *counted = isfinite (bytes) ? dyno_unit_format (bytes, "B") : g_strdup ("nothing");

      source = g_strdup_printf (
          "by you (--bytes-per-step, or the file beside the model); Dyno's model of traffic counts %s",
          counted);
      bytes = measurement->given_bytes;
    }
  else
    source = g_strdup (dyno_step_work_get_bytes_source (&measurement->analysis));
  if (!isfinite (bytes))
    {
      const char *reason = measurement->analysis.traffic == NULL
                               ? _ ("The backend does not report what its operators read and write.")
                               : _ ("The decode steps could not be analysed.");

      dyno_measurement_add_unsupported (measurement, "bytes_per_step", "B", reason);
      dyno_measurement_add_unsupported (measurement, "arithmetic_intensity_flops_per_byte", "FLOP/B", reason);
      return;
    }
  dyno_measurement_add_estimated (measurement, "bytes_per_step", bytes, "B", source);
  both = g_strconcat (dyno_step_work_get_flops_source (&measurement->analysis), "; ", source, NULL);
  if (isfinite (flops) && bytes > 0)
    dyno_measurement_add_estimated (measurement, "arithmetic_intensity_flops_per_byte", flops / bytes,
                                    "FLOP/B", both);
}

static void
dyno_flops_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  GPtrArray *nodes = measurement->analysis.profile;
  g_autoptr (GHashTable) decoding = queue_nodes (measurement->decode_analysis.profile);
  const char *provider = NULL;
  guint n_untimed = 0;

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (nodes, i);
      GQueue *twins = g_hash_table_lookup (decoding, node->name);

      add_operator (measurement, node, twins != NULL ? g_queue_pop_head (twins) : NULL);
      if (node->time_ns >= 0)
        continue;
      n_untimed++;
      provider = node->provider;
    }
  if (n_untimed > 0)
    {
      /* Work that a device does later has a time only if the device reports it. */
      g_autofree char *message = g_strdup_printf (
          _ ("%u of %u operators have no time: they are handed over to %s, and the engine does not tell how "
             "long each takes there."),
          n_untimed, measurement->operators->len, provider != NULL ? provider : _ ("a device"));

      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "untimed-operators", message);
    }
  add_bytes (measurement, add_flops (measurement));
}

static const DynoMetricValue known_values[] = {
  { "flops", N_ ("FLOPs per step"), TRUE, .note = "of one step; a generation with all its tokens" },
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
  metric_class->analysed = dyno_flops_metric_analysed;
}

static void
dyno_flops_metric_init (DynoFlopsMetric *self)
{
}
