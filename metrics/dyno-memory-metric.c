/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-system-file.h"

/* Memory of the process over time and at its peak, of the weights, and according to the runtime's allocator. */
G_DECLARE_FINAL_TYPE (DynoMemoryMetric, dyno_memory_metric, DYNO, MEMORY_METRIC, DynoMetric)

struct _DynoMemoryMetric
{
  DynoMetric parent_instance;

  DynoTrace *trace;
  gboolean peak_is_reset;
  gint64 peak_bytes;
  gint64 huge_bytes;
};

G_DEFINE_FINAL_TYPE (DynoMemoryMetric, dyno_memory_metric, DYNO_TYPE_METRIC)

static void
dyno_memory_metric_finalize (GObject *object)
{
  DynoMemoryMetric *self = DYNO_MEMORY_METRIC (object);

  g_clear_object (&self->trace);

  G_OBJECT_CLASS (dyno_memory_metric_parent_class)->finalize (object);
}

static void
dyno_memory_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoMemoryMetric *self = DYNO_MEMORY_METRIC (metric);
  g_autoptr (DynoSensor) sensor = dyno_model_is_served (measurement->model)
                                      ? dyno_memory_sensor_new_of_others (measurement->others)
                                      : dyno_memory_sensor_new (measurement->others);

  self->peak_is_reset = dyno_memory_sensor_reset_peak ();
  if (measurement->sampling_milliseconds > 0 && sensor != NULL)
    self->trace =
        dyno_sampler_add (measurement->sampler, sensor, "memory_rss", measurement->sampling_milliseconds);
  /* The kernel keeps the peak of this process, but not the common one of several. */
  if (self->trace != NULL && !dyno_model_is_served (measurement->model))
    dyno_sampler_set_may_rest (measurement->sampler, self->trace, self->peak_is_reset);
}

/* An engine in other processes may start and end some of them. */
static void
dyno_memory_metric_rest (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoMemoryMetric *self = DYNO_MEMORY_METRIC (metric);
  g_autoptr (GArray) processes = dyno_session_get_processes (measurement->session);

  if (processes == NULL)
    return;
  dyno_process_memory_follow (measurement->others, processes);
  if (self->trace != NULL)
    dyno_sampler_set_may_rest (measurement->sampler, self->trace, FALSE);
}

static void
dyno_memory_metric_stop (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoMemoryMetric *self = DYNO_MEMORY_METRIC (metric);

  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "self/smaps_rollup");

  self->peak_bytes = dyno_memory_sensor_read_peak ();
  self->huge_bytes = dyno_system_file_parse_kib (text, "AnonHugePages");
}

/* Describes the processes whose memory is counted, and how. */
static char *
describe_processes (DynoMeasurement *measurement)
{
  guint n = dyno_process_memory_get_max_processes (measurement->others);
  const char *sharing = dyno_process_memory_knows_sharing (measurement->others)
                            ? "pages that those share counted once"
                            : "pages that those share counted several times";

  if (n == 0)
    return g_strdup ("resident set of the process");
  if (measurement->server != NULL)
    return g_strdup_printf ("resident sets of the server’s processes, %u at most, %s", n, sharing);
  return g_strdup_printf ("resident sets of the process and %u more that work for it, %s", n, sharing);
}

static gsize
size_of_samples (const DynoSamples *samples)
{
  return samples != NULL ? samples->capacity * (sizeof *samples->starts + sizeof *samples->durations) : 0;
}

static double
own_samples_mb (DynoMeasurement *measurement)
{
  return (double)(size_of_samples (measurement->warm_up) + size_of_samples (measurement->samples) +
                  size_of_samples (measurement->prefills) + size_of_samples (measurement->decodes)) /
         1e6;
}

static void
add_own_peak (DynoMemoryMetric *self, DynoMeasurement *measurement)
{
  g_autofree char *source = g_strdup_printf ("highest resident set of the process, from loading to the last "
                                             "step; %.1f MB of it are Dyno's own samples",
                                             own_samples_mb (measurement));

  if (self->peak_is_reset && self->peak_bytes > 0)
    dyno_measurement_add_measured (measurement, "memory_peak_mb", (double)self->peak_bytes / 1e6, "MB",
                                   source);
  else
    dyno_measurement_add_unsupported (
        measurement, "memory_peak_mb", "MB",
        _ ("The kernel does not report the peak resident memory of the process."));
  if (self->huge_bytes > 0)
    dyno_measurement_add_measured (measurement, "memory_huge_pages_mb", (double)self->huge_bytes / 1e6, "MB",
                                   "transparent huge pages of the process, after the last step");
}

/* The peaks of several processes need not coincide, so only common readings count. */
static void
add_common_peak (DynoMemoryMetric *self, DynoMeasurement *measurement)
{
  g_autofree char *who = describe_processes (measurement);
  g_autofree char *own =
      measurement->server != NULL
          ? g_strdup ("")
          : g_strdup_printf ("; %.1f MB of it are Dyno's own samples", own_samples_mb (measurement));
  g_autofree char *source = g_strdup_printf ("highest reading, one every %u ms: %s%s",
                                             measurement->sampling_milliseconds, who, own);
  double peak;

  /* The last reading comes just after the start of the analysis. */
  if (self->trace != NULL && dyno_measurement_sum_up_readings (measurement, self->trace, DYNO_PHASE_LOAD,
                                                               DYNO_PHASE_ANALYSE, NULL, &peak))
    dyno_measurement_add_measured (measurement, "memory_peak_mb", peak, "MB", source);
  else
    dyno_measurement_add_unsupported (
        measurement, "memory_peak_mb", "MB",
        _ ("The engine runs in other processes whose memory is not sampled; set a sampling period."));
}

static void
add_process (DynoMemoryMetric *self, DynoMeasurement *measurement)
{
  if (dyno_measurement_is_elsewhere (measurement))
    {
      dyno_measurement_add_unsupported (measurement, "memory_peak_mb", "MB", measurement->server->elsewhere);
      dyno_measurement_add_unsupported (measurement, "memory_average_mb", "MB",
                                        measurement->server->elsewhere);
      return;
    }
  if (dyno_process_memory_get_max_processes (measurement->others) == 0 && measurement->server == NULL)
    add_own_peak (self, measurement);
  else
    add_common_peak (self, measurement);

  if (self->trace == NULL)
    {
      dyno_measurement_add_unsupported (
          measurement, "memory_average_mb", "MB",
          measurement->sampling_milliseconds == 0
              ? _ ("Memory sampling is off; set a sampling period.")
              : _ ("The kernel does not report the resident memory of the process."));
      return;
    }

  g_autofree char *who = describe_processes (measurement);
  g_autofree char *source = g_strconcat ("mean while measuring: ", who, NULL);
  double mean;

  if (dyno_measurement_sum_up_readings (measurement, self->trace, DYNO_PHASE_MEASURE, DYNO_PHASE_MEASURE,
                                        &mean, NULL))
    dyno_measurement_add_measured (measurement, "memory_average_mb", mean, "MB", source);
  else
    dyno_measurement_add_unsupported (measurement, "memory_average_mb", "MB",
                                      _ ("The measurement ended before memory was read."));
  dyno_measurement_take_trace (measurement, g_steal_pointer (&self->trace));
}

/* The runtime need not keep weights in its allocator (prepacked ones are elsewhere), so the workspace is the
 * increase since before the first run. */
static void
add_allocator (DynoMeasurement *measurement)
{
  const DynoAllocatorStats *stats = &measurement->allocator, *loaded = &measurement->allocator_loaded;
  const char *source = "the runtime's allocator, after the last step";
  double workspace_mb = (double)(stats->peak - loaded->in_use) / 1e6;

  if (!measurement->has_allocator)
    {
      const char *reason = _ ("The runtime does not report allocator statistics.");

      dyno_measurement_add_unsupported (measurement, "memory_workspace_mb", "MB", reason);
      dyno_measurement_add_unsupported (measurement, "memory_allocator_used_mb", "MB", reason);
      dyno_measurement_add_unsupported (measurement, "memory_allocator_held_mb", "MB", reason);
      dyno_measurement_add_unsupported (measurement, "memory_fragmentation_percent", "%", reason);
      return;
    }
  if (stats->peak > loaded->peak)
    dyno_measurement_add_measured (
        measurement, "memory_workspace_mb", workspace_mb, "MB",
        "the runtime's allocator: peak of the steps over what it held when loaded");
  else
    dyno_measurement_add_estimated (measurement, "memory_workspace_mb", workspace_mb, "MB",
                                    "upper bound: the allocator's peak was while loading");
  dyno_measurement_add_measured (measurement, "memory_allocator_used_mb", (double)stats->in_use / 1e6, "MB",
                                 source);
  dyno_measurement_add_measured (measurement, "memory_allocator_held_mb", (double)stats->held / 1e6, "MB",
                                 source);
  if (stats->held > 0)
    dyno_measurement_add_measured (measurement, "memory_fragmentation_percent",
                                   100.0 * (double)(stats->held - stats->in_use) / (double)stats->held, "%",
                                   "held minus used over held, from the runtime's allocator");
}

static void
dyno_memory_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  const DynoServer *server = measurement->server;
  gint64 weights = server != NULL ? server->weight_bytes : dyno_model_get_weight_bytes (measurement->model);

  add_process (DYNO_MEMORY_METRIC (metric), measurement);
  if (server != NULL && weights == 0)
    dyno_measurement_add_unsupported (measurement, "memory_weights_mb", "MB",
                                      _ ("The server does not tell how large the weights are."));
  else
    dyno_measurement_add_measured (measurement, "memory_weights_mb", (double)weights / 1e6, "MB",
                                   server != NULL ? "size of the stored model, as the server told"
                                                  : "size of the model's stored weights");
  add_allocator (measurement);
}

static const DynoMetricValue known_values[] = {
  { "memory_peak_mb", N_ ("Peak memory"), TRUE },
  { "memory_average_mb", N_ ("Average memory"), TRUE },
  { "memory_weights_mb", N_ ("Weights memory"), TRUE },
  { "memory_huge_pages_mb", N_ ("Memory in huge pages"), FALSE, .note = "absent where the process has none" },
  { "memory_workspace_mb", N_ ("Workspace memory"), FALSE },
  { "memory_allocator_used_mb", N_ ("Allocator memory in use"), FALSE },
  { "memory_allocator_held_mb", N_ ("Allocator memory reserved"), FALSE },
  { "memory_fragmentation_percent", N_ ("Fragmentation"), FALSE },
  { NULL },
};

static void
dyno_memory_metric_class_init (DynoMemoryMetricClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  object_class->finalize = dyno_memory_metric_finalize;

  metric_class->id = "memory";
  metric_class->values = known_values;
  metric_class->start = dyno_memory_metric_start;
  metric_class->loaded = dyno_memory_metric_rest;
  metric_class->rest = dyno_memory_metric_rest;
  metric_class->stop = dyno_memory_metric_stop;
  metric_class->collect = dyno_memory_metric_collect;
}

static void
dyno_memory_metric_init (DynoMemoryMetric *self)
{
}
