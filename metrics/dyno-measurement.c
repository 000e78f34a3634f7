/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-manifest.h"
#include "dyno-measurement.h"
#include "dyno-time-series.h"

/* Fewer samples than this have no shape and count as not steady. */
#define MIN_JUDGED 6

static void
clear_stage (gpointer data)
{
  DynoStageSamples *self = data;

  g_free (self->name);
  dyno_samples_free (self->samples);
  g_clear_pointer (&self->handed, dyno_samples_free);
}

DynoMeasurement *
dyno_measurement_new (void)
{
  DynoMeasurement *self = g_new0 (DynoMeasurement, 1);

  self->batch_size = 1;
  self->n_requests = 1;
  self->steps_per_sample = 1;
  self->others = dyno_process_memory_new ();
  self->stages = g_array_new (FALSE, FALSE, sizeof (DynoStageSamples));
  g_array_set_clear_func (self->stages, clear_stage);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  self->traces = g_ptr_array_new_with_free_func (g_object_unref);
  self->operators = g_ptr_array_new_with_free_func (g_object_unref);
  self->diagnostics = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_diagnostic_unref);
  return self;
}

static void
clear_analysis (DynoStepAnalysis *analysis)
{
  g_clear_pointer (&analysis->shapes, g_ptr_array_unref);
  g_clear_pointer (&analysis->profile, g_ptr_array_unref);
  g_clear_pointer (&analysis->profile_values, g_ptr_array_unref);
  g_clear_pointer (&analysis->traffic, g_ptr_array_unref);
}

void
dyno_measurement_free (DynoMeasurement *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->session);
  g_clear_object (&self->model);
  g_free (self->provider);
  g_clear_pointer (&self->stage_providers, g_hash_table_unref);
  g_free (self->device);
  g_clear_pointer (&self->settings, g_hash_table_unref);
  g_free (self->device_address);
  g_clear_pointer (&self->load_stages, g_array_unref);
  g_clear_pointer (&self->sampler, dyno_sampler_free);
  g_clear_pointer (&self->sensors, dyno_sensor_set_free);
  g_clear_pointer (&self->turn_starts, g_array_unref);
  g_clear_pointer (&self->windows, g_array_unref);
  g_clear_pointer (&self->watch, dyno_core_watch_free);
  g_clear_pointer (&self->chunk_ends, g_array_unref);
  g_clear_pointer (&self->chunk_end_ns, g_array_unref);
  g_clear_pointer (&self->disturbances, g_array_unref);
  g_clear_pointer (&self->accounts, g_array_unref);
  g_clear_pointer (&self->warm_up, dyno_samples_free);
  g_clear_pointer (&self->samples, dyno_samples_free);
  g_clear_pointer (&self->cold, dyno_samples_free);
  g_clear_pointer (&self->prefills, dyno_samples_free);
  g_clear_pointer (&self->decodes, dyno_samples_free);
  g_clear_pointer (&self->served, g_ptr_array_unref);
  g_clear_pointer (&self->broken, g_ptr_array_unref);
  g_clear_pointer (&self->server, dyno_server_free);
  g_free (self->last_failure);
  g_clear_pointer (&self->stages, g_array_unref);
  g_clear_pointer (&self->load, dyno_load_outcome_free);
  g_clear_pointer (&self->expert_tokens, dyno_tensor_unref);
  clear_analysis (&self->analysis);
  clear_analysis (&self->decode_analysis);
  dyno_process_memory_unref (self->others);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->traces);
  g_ptr_array_unref (self->operators);
  g_ptr_array_unref (self->diagnostics);
  g_free (self);
}

void
dyno_measurement_add_settled (DynoMeasurement *self,
                              const char *name,
                              double number,
                              const char *unit,
                              DynoQuality quality,
                              const char *source)
{
  const char *reason = dyno_measurement_explain_unsteady (self);
  g_autofree char *explained = reason != NULL ? g_strdup_printf ("%s (%s)", source, reason) : NULL;

  if (reason != NULL)
    g_ptr_array_add (self->values, dyno_value_new (name, number, unit, DYNO_QUALITY_UNSTEADY, explained));
  else
    g_ptr_array_add (self->values, dyno_value_new (name, number, unit, quality, source));
}

char *
dyno_measurement_explain_percentile (gsize n, double n_effective, double percent)
{
  gsize n_needed = dyno_stats_percentile_min_samples (percent);

  if (dyno_stats_percentile_is_supported ((gsize)n_effective, percent))
    return NULL;
  if (n < n_needed)
    return g_strdup_printf (_ ("This percentile needs %zu samples; there are %zu."), n_needed, n);
  return g_strdup_printf (
      _ ("This percentile needs %zu independent samples; the %zu samples are correlated and count as %zu."),
      n_needed, n, (gsize)n_effective);
}

static void
add_percentile (DynoMeasurement *self,
                const char *stem,
                const double *sorted,
                gsize n,
                double n_effective,
                double percent,
                const char *what)
{
  g_autofree char *name = g_strdup_printf ("%s_p%g_ms", stem, percent);
  g_autofree char *source = g_strdup_printf ("%gth percentile %s", percent, what);
  g_autofree char *reason = dyno_measurement_explain_percentile (n, n_effective, percent);

  if (reason == NULL)
    dyno_measurement_add_settled (self, name, dyno_stats_percentile (sorted, n, percent), "ms",
                                  DYNO_QUALITY_MEASURED, source);
  else
    dyno_measurement_add_unsupported (self, name, "ms", reason);
}

void
dyno_measurement_add_percentiles (
    DynoMeasurement *self, const char *stem, const double *values, gsize n, const char *what)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof *values);
  g_autofree char *name = g_strdup_printf ("%s_latency_ms", stem);
  g_autofree char *source = g_strdup_printf ("median %s", what);
  double n_effective;

  if (n == 0)
    return;
  n_effective = dyno_stats_effective_size (values, n);
  dyno_stats_sort (sorted, n);
  dyno_measurement_add_settled (self, name, dyno_stats_percentile (sorted, n, 50), "ms",
                                DYNO_QUALITY_MEASURED, source);
  add_percentile (self, stem, sorted, n, n_effective, 90, what);
  add_percentile (self, stem, sorted, n, n_effective, 99, what);
}

void
dyno_measurement_add_measured (
    DynoMeasurement *self, const char *name, double number, const char *unit, const char *source)
{
  g_ptr_array_add (self->values, dyno_value_new (name, number, unit, DYNO_QUALITY_MEASURED, source));
}

void
dyno_measurement_add_estimated (
    DynoMeasurement *self, const char *name, double number, const char *unit, const char *source)
{
  g_ptr_array_add (self->values, dyno_value_new (name, number, unit, DYNO_QUALITY_ESTIMATED, source));
}

void
dyno_measurement_add_unsupported (DynoMeasurement *self,
                                  const char *name,
                                  const char *unit,
                                  const char *reason)
{
  g_ptr_array_add (self->values, dyno_value_new_unsupported (name, unit, reason));
}

void
dyno_measurement_take_trace (DynoMeasurement *self, DynoTrace *trace)
{
  g_ptr_array_add (self->traces, trace);
}

void
dyno_measurement_take_operator (DynoMeasurement *self, DynoOperator *op)
{
  g_ptr_array_add (self->operators, op);
}

void
dyno_measurement_add_diagnostic (DynoMeasurement *self,
                                 DynoSeverity severity,
                                 const char *code,
                                 const char *message)
{
  g_ptr_array_add (self->diagnostics, dyno_diagnostic_new (severity, code, message));
}

const char *
dyno_measurement_get_asked_provider (DynoMeasurement *self, const char *operator_name)
{
  GHashTableIter iter;
  gpointer stage, provider;

  if (self->stage_providers == NULL)
    return self->provider;
  g_hash_table_iter_init (&iter, self->stage_providers);
  while (g_hash_table_iter_next (&iter, &stage, &provider))
    if (dyno_manifest_is_node_of (operator_name, stage))
      return provider;
  return self->provider;
}

static void
reserve_stage (DynoMeasurement *self, const DynoStageClock *clock, gsize n_samples)
{
  DynoStageSamples stage = {
    .name = g_strdup (clock->name),
    .seen_ns = clock->elapsed_ns,
    .n_times = clock->n_times,
    .samples = dyno_samples_new (n_samples),
    .seen_handed_ns = clock->handed_ns,
    .handed = clock->is_handed ? dyno_samples_new (n_samples) : NULL,
    .opened_ns = { clock->opened_ns[0], clock->opened_ns[1] },
    .clock = clock,
  };

  g_array_append_val (self->stages, stage);
}

void
dyno_measurement_reserve_stages (DynoMeasurement *self, gsize n_samples)
{
  guint n_stages;
  const DynoStageClock *clocks = dyno_session_get_stage_clocks (self->session, &n_stages);

  g_array_set_size (self->stages, 0);
  for (guint i = 0; i < n_stages; i++)
    reserve_stage (self, &clocks[i], n_samples);
  for (guint i = 0; i < self->n_own_clocks; i++)
    reserve_stage (self, &self->own_clocks[i], n_samples);
}

void
dyno_measurement_record_stage_memory (DynoMeasurement *self)
{
  for (guint i = 0; i < self->stages->len; i++)
    {
      DynoStageSamples *stage = &g_array_index (self->stages, DynoStageSamples, i);
      DynoAllocatorStats stats;

      if (stage->clock->session != NULL && dyno_session_get_allocator_stats (stage->clock->session, &stats))
        stage->peak_bytes = stats.peak;
    }
}

void
dyno_measurement_skip_stages (DynoMeasurement *self)
{
  for (guint i = 0; i < self->stages->len; i++)
    {
      DynoStageSamples *stage = &g_array_index (self->stages, DynoStageSamples, i);

      stage->seen_ns = stage->clock->elapsed_ns;
      stage->seen_handed_ns = stage->clock->handed_ns;
    }
}

void
dyno_measurement_record_stages (DynoMeasurement *self)
{
  gint64 start = self->samples->starts[dyno_samples_get_length (self->samples) - 1];

  for (guint i = 0; i < self->stages->len; i++)
    {
      DynoStageSamples *stage = &g_array_index (self->stages, DynoStageSamples, i);
      const DynoStageClock *clock = stage->clock;

      dyno_samples_record (stage->samples, start, start + clock->elapsed_ns - stage->seen_ns);
      stage->seen_ns = clock->elapsed_ns;
      if (stage->handed != NULL)
        dyno_samples_record (stage->handed, start, start + clock->handed_ns - stage->seen_handed_ns);
      stage->seen_handed_ns = clock->handed_ns;
    }
}

double
dyno_measurement_get_phase_milliseconds (DynoMeasurement *self, DynoPhase phase)
{
  g_return_val_if_fail (phase < DYNO_N_PHASES, NAN);

  if (self->phase_ns[phase] == 0 || self->phase_ns[phase + 1] == 0)
    return NAN;
  return (double)(self->phase_ns[phase + 1] - self->phase_ns[phase]) / 1e6;
}

double
dyno_measurement_get_items_per_step (const DynoMeasurement *self)
{
  return (double)self->batch_size * self->n_requests;
}

double
dyno_measurement_count_steady_steps (DynoMeasurement *self)
{
  if (self->load != NULL)
    return dyno_load_outcome_get_chosen (self->load)->summary.answered_per_second *
           (double)self->steady_wall_ns / 1e9;
  if (self->samples == NULL)
    return dyno_measurement_get_number (self, "latency_samples") *
           dyno_measurement_get_number (self, "latency_batched_steps");
  return (double)(self->steady_end - self->steady_first) * self->steps_per_sample;
}

gboolean
dyno_measurement_has_windows (const DynoMeasurement *self)
{
  return self->windows != NULL && self->windows->len > 0;
}

double
dyno_measurement_get_disturbed_percent (DynoMeasurement *self,
                                        gsize first,
                                        gsize end,
                                        DynoWindowCauses causes)
{
  gint64 all_ns = 0, disturbed_ns = 0;
  gsize begin = 0;

  for (guint i = 0; self->windows != NULL && i < self->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (self->windows, DynoWindow, i);

      if (begin < end && window->end > first)
        {
          all_ns += window->end_ns - window->begin_ns;
          disturbed_ns += (window->causes & causes) != 0 ? window->end_ns - window->begin_ns : 0;
        }
      begin = window->end;
    }
  return all_ns > 0 ? 100.0 * (double)disturbed_ns / (double)all_ns : NAN;
}

double
dyno_measurement_get_undisturbed_percent (DynoMeasurement *self, gsize first, gsize end)
{
  return 100 - dyno_measurement_get_disturbed_percent (self, first, end, (1 << DYNO_N_WINDOW_CAUSES) - 1);
}

void
dyno_measurement_judge_clock (DynoMeasurement *self)
{
  guint n = self->windows != NULL ? self->windows->len : 0;
  DynoWindow *windows = n > 0 ? &g_array_index (self->windows, DynoWindow, 0) : NULL;
  g_autofree double *clocks = g_new (double, MAX (n, 1));
  guint n_known = 0;
  double usual;

  for (guint i = 0; i < n; i++)
    if (isfinite (windows[i].clock_mhz))
      clocks[n_known++] = windows[i].clock_mhz;
  if (n_known == 0)
    return;
  dyno_stats_sort (clocks, n_known);
  usual = dyno_stats_percentile (clocks, n_known, 50);
  for (guint i = 0; i < n; i++)
    {
      windows[i].causes &= ~DYNO_WINDOW_CAUSE_CLOCK;
      if (windows[i].clock_mhz < usual * DYNO_WINDOW_MIN_CLOCK_PERCENT / 100)
        windows[i].causes |= DYNO_WINDOW_CAUSE_CLOCK;
    }
}

GArray *
dyno_measurement_list_undisturbed (DynoMeasurement *self, gsize first, gsize end)
{
  g_autoptr (GArray) indices = NULL;
  gsize index = first;

  if (!(dyno_measurement_get_undisturbed_percent (self, first, end) >= DYNO_UNDISTURBED_MIN_PERCENT))
    return NULL;
  indices = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (guint i = 0; i < self->windows->len; i++)
    {
      const DynoWindow *window = &g_array_index (self->windows, DynoWindow, i);

      for (; index < MIN (window->end, end); index++)
        if (window->causes == 0)
          g_array_append_val (indices, index);
    }
  return indices->len >= DYNO_UNDISTURBED_MIN_SAMPLES ? g_steal_pointer (&indices) : NULL;
}

gboolean
dyno_measurement_is_overloaded (const DynoMeasurement *self)
{
  return self->load != NULL &&
         (dyno_load_outcome_get_chosen (self->load)->summary.problems & DYNO_LOAD_OVERLOADED) != 0;
}

const char *
dyno_measurement_explain_overload (const DynoMeasurement *self)
{
  return dyno_measurement_is_overloaded (self) ? _ ("Requests arrived faster than they were answered, so the "
                                                    "latency grew throughout. Choose a lower rate.")
                                               : NULL;
}

DynoValue *
dyno_measurement_get_value (DynoMeasurement *self, const char *name)
{
  for (guint i = 0; i < self->values->len; i++)
    if (g_str_equal (dyno_value_get_name (g_ptr_array_index (self->values, i)), name))
      return g_ptr_array_index (self->values, i);
  return NULL;
}

double
dyno_measurement_get_number (DynoMeasurement *self, const char *name)
{
  DynoValue *value = dyno_measurement_get_value (self, name);

  return value != NULL ? dyno_value_get_number (value) : NAN;
}

const char *
dyno_measurement_explain_unsteady (DynoMeasurement *self)
{
  if (self->steadiness != DYNO_STEADINESS_NONE)
    return NULL;

  double n_samples = self->samples != NULL ? (double)dyno_samples_get_length (self->samples)
                                           : dyno_measurement_get_number (self, "latency_samples");

  if (n_samples < MIN_JUDGED)
    return _ ("Too few samples to tell whether the latency became steady: the values cover the whole "
              "measurement. Allow more time.");
  return _ ("The latency never became steady: the values cover the whole measurement and have no interval. "
            "Close other programs, or allow more time.");
}

char *
dyno_measurement_explain_no_sum (DynoMeasurement *self, const char *rule)
{
  const char *reason = dyno_measurement_explain_unsteady (self);

  return reason != NULL ? g_strdup_printf ("%s %s", reason, rule) : NULL;
}

gboolean
dyno_measurement_is_elsewhere (DynoMeasurement *self)
{
  return self->server != NULL && self->server->elsewhere != NULL;
}

const char *
dyno_measurement_explain_unseen (DynoMeasurement *self)
{
  if (dyno_measurement_is_elsewhere (self))
    return self->server->elsewhere;
  if (self->server == NULL || self->board != NULL || self->sensors == NULL)
    return NULL;
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (self->sensors); i++)
    if (dyno_sensor_get_info (dyno_sensor_set_get_sensor (self->sensors, i))->domain == DYNO_DOMAIN_DEVICE)
      return _ ("The server does not tell which device of this machine it computes on. What each part of "
                "the machine took is listed by itself.");
  return NULL;
}

gsize
dyno_measurement_find_served (const DynoMeasurement *self, gsize *end)
{
  *end = self->load != NULL ? self->served->len : self->steady_end * self->steps_per_sample;
  return self->load != NULL ? 0 : self->steady_first * self->steps_per_sample;
}

double
dyno_measurement_count_served_tokens (const DynoMeasurement *self)
{
  const DynoLoadPoint *point = self->load != NULL ? dyno_load_outcome_get_chosen (self->load) : NULL;
  const GPtrArray *all = point != NULL ? point->served : self->served;
  gsize end, first = dyno_measurement_find_served (self, &end);
  gint64 n = 0;

  if (point != NULL)
    {
      first = 0;
      end = all->len;
    }
  for (gsize i = first; i < end; i++)
    {
      const DynoServed *served = all->pdata[i];
      gint64 last = point != NULL && served->failure == NULL ? dyno_served_get_last (served) : 0;

      /* Requests count whenever they were sent, but not if they were still unanswered at the end of the window. */
      if (point != NULL &&
          (served->failure != NULL || last <= point->summary.from_ns || last > point->summary.to_ns))
        continue;
      if (served->output_tokens < 0)
        return NAN;
      n += served->output_tokens;
    }
  return (double)n;
}

GArray *
dyno_measurement_list_steady_stretches (DynoMeasurement *self)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (DynoStretch));
  gsize begin = 0;

  if (self->load != NULL)
    {
      /* Answers after the window in which items are counted do not count. */
      const DynoLoadSummary *summary = &dyno_load_outcome_get_chosen (self->load)->summary;
      DynoStretch window = { .start_ns = summary->from_ns - self->origin_ns,
                             .end_ns = summary->to_ns - self->origin_ns };

      if (window.start_ns < window.end_ns)
        g_array_append_val (stretches, window);
      return stretches;
    }
  for (guint i = 0; self->chunk_ends != NULL && i < self->chunk_ends->len; i++)
    {
      gsize end = MIN (g_array_index (self->chunk_ends, gsize, i), self->steady_end);
      gsize first = MAX (begin, self->steady_first);

      if (first < end)
        {
          /* With an engine's own clock, a stretch includes the gaps between steps, and the one after its last. */
          gint64 end_ns = self->has_own_clock && self->chunk_end_ns != NULL
                              ? g_array_index (self->chunk_end_ns, gint64, i)
                              : self->samples->starts[end - 1] + self->samples->durations[end - 1];
          DynoStretch stretch = {
            .start_ns = self->samples->starts[first] - self->origin_ns,
            .end_ns = end_ns - self->origin_ns,
          };

          g_array_append_val (stretches, stretch);
        }
      begin = g_array_index (self->chunk_ends, gsize, i);
    }
  return stretches;
}

gboolean
dyno_measurement_is_on_device (DynoMeasurement *self)
{
  static const char *const accelerators[] = { "CUDA", "Tensorrt", "NvTensorRTRTX",
                                              "ROCM", "MIGraphX", "WebGpu" };

  if (self->board != NULL)
    return TRUE;
  switch (self->device_kind)
    {
    case DYNO_DEVICE_KIND_DISCRETE_GPU:
    case DYNO_DEVICE_KIND_NPU:
      return TRUE;
    case DYNO_DEVICE_KIND_CPU:
    case DYNO_DEVICE_KIND_INTEGRATED_GPU:
    case DYNO_DEVICE_KIND_SOFTWARE:
    case DYNO_DEVICE_KIND_EMULATED:
    case DYNO_DEVICE_KIND_SERVER:
    case DYNO_DEVICE_KIND_REMOTE:
      return FALSE;
    case DYNO_DEVICE_KIND_UNKNOWN:
    default:
      for (guint i = 0; self->provider != NULL && i < G_N_ELEMENTS (accelerators); i++)
        if (strncasecmp (self->provider, accelerators[i], strlen (accelerators[i])) == 0)
          return TRUE;
      return FALSE;
    }
}

const DynoSensorInfo *
dyno_measurement_find_device_sensor (DynoMeasurement *self, char **reason)
{
  *reason = NULL;
  if (self->sensors == NULL || !dyno_measurement_is_on_device (self))
    return NULL;
  return self->board != NULL
             ? self->board
             : dyno_sensor_device_find (self->sensors, self->device, self->device_address, reason);
}

const char *
dyno_measurement_get_clock_name (DynoMeasurement *self)
{
  return self->has_own_clock ? "the engine's own clock" : "CLOCK_MONOTONIC_RAW";
}

gboolean
dyno_measurement_sum_up_readings (
    DynoMeasurement *self, DynoTrace *trace, DynoPhase first, DynoPhase last, double *mean, double *highest)
{
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);
  gint64 began = self->phase_ns[first] - self->origin_ns;
  gint64 ended = self->phase_ns[last + 1] - self->origin_ns;
  gsize length = dyno_trace_get_length (trace);
  double sum = 0, most = -INFINITY, weight = 0;
  gsize n = 0;

  /* A reading holds until the next one: they are further apart while nothing changes. */
  for (gsize i = 0; i < length; i++)
    if (times[i] >= began && times[i] <= ended)
      {
        gint64 until = i + 1 < length ? MIN (times[i + 1], ended) : ended;
        double share = (double)MAX (until - times[i], 1);

        sum += share * values[i];
        weight += share;
        most = MAX (most, values[i]);
        n++;
      }
  if (n > 0 && mean != NULL)
    *mean = sum / weight;
  if (n > 0 && highest != NULL)
    *highest = most;
  return n > 0;
}
