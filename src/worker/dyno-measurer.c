/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-binding.h"
#include "dyno-clock.h"
#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-metric.h"
#include "dyno-pinning.h"
#include "dyno-precision.h"
#include "dyno-priority.h"
#include "dyno-prober.h"
#include "dyno-process-family.h"
#include "dyno-result-samples.h"
#include "dyno-text.h"
#include "dyno-worker-private.h"

#define NS_PER_SECOND 1e9

/* At 50 ms each, more turns than fit any block. */
#define MAX_TURNS 10000

/* Attention over more would take long to try. */
#define MAX_TRIED_TOKENS 4096

/* How often measuring may start over with more steps in a sample because samples were too short for the clock. */
#define MAX_RESTARTS 3

#define WARM_UP_CAPACITY 200000
#define MAX_SAMPLES      2000000

#define MIN_CHUNK_SECONDS 0.05

/* Clients that query a server at a rate, or offline, if it does not report how many requests it works on at
 * once. */
#define SERVED_CLIENTS 64

/* Samples take a little less time than measuring them, and must fill the minimum duration at the second
 * check. */
#define TIME_SHARE 0.95

/* The period at which the power of the idle machine is read. */
#define IDLE_PERIOD_US 50000

/* The bits of `heard` that go into the progress number. */
#define HEARD_MASK 0xffffff

/* If a smaller share ran on the requested device, the case was not measured on it. */
#define MIN_PLACEMENT_PERCENT 50

/* The longest time to try other sizes if a model does not run at those that Dyno chose. */
#define MAX_SEARCH_SECONDS 20

struct _DynoMeasurer
{
  GObject parent_instance;

  DynoCase *kase;
  guint
      other_length; /* a number of tokens at which it runs although it does not at that of the case; 0 if none is known */
  guint invocation;
  gboolean analyses;    /* after it has measured */
  DynoResult *measured; /* (nullable): that of another process, which measured what this one analyses */
  DynoModel *exact;     /* (nullable): in an analysis, the model whose answer is right */
  gboolean activations; /* in an analysis, whether to look at activations */
  gboolean is_profiled; /* in an analysis, whether the session was opened under the profiler */
  DynoMethod *method;   /* for one invocation */
  DynoModel *model;
  DynoBackend *backend;
  DynoDevice *device;
  DynoWorkload *workload;
  char *onnx_path;
  GPtrArray *libraries; /* (nullable): DynoEngineLibrary: of the engine, then those of stages on others */
  DynoLoad load;
  DynoLoadClients *clients; /* (nullable): only under load */
  DynoTurnGate *gate;       /* (nullable): only in turns with others */
  GHashTable *engine;
  GPtrArray *stage_options;  /* (nullable) */
  DynoBinding *sizes;        /* (nullable) */
  GPtrArray *external_files; /* (nullable): only for an ONNX file */
  DynoSessionOptions options;
  DynoMeasurement *measurement;
  GPtrArray *metrics;

  /* Read by the thread that reports progress. */
  atomic_int phase;
  atomic_uint heard; /* pieces that a server sent within a step */
  GMutex lock;       /* protects the fields below; never taken between two samples */
  DynoSamples *live;
  guint live_steps;
  gsize n_read;
};

G_DEFINE_FINAL_TYPE (DynoMeasurer, dyno_measurer, G_TYPE_OBJECT)

static void
dyno_measurer_finalize (GObject *object)
{
  DynoMeasurer *self = DYNO_MEASURER (object);

  g_clear_pointer (&self->metrics, g_ptr_array_unref);
  g_clear_pointer (&self->clients, dyno_load_clients_free);
  g_clear_object (&self->workload);
  g_clear_object (&self->device);
  g_clear_pointer (&self->measurement, dyno_measurement_free);
  g_clear_pointer (&self->sizes, g_hash_table_unref);
  g_clear_pointer (&self->external_files, g_ptr_array_unref);
  g_clear_object (&self->model);
  g_clear_object (&self->kase);
  g_clear_object (&self->measured);
  g_clear_object (&self->exact);
  g_clear_object (&self->method);
  g_clear_pointer (&self->engine, g_hash_table_unref);
  g_clear_pointer (&self->stage_options, g_ptr_array_unref);
  g_clear_pointer (&self->libraries, g_ptr_array_unref);
  g_free (self->onnx_path);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (dyno_measurer_parent_class)->finalize (object);
}

static void
dyno_measurer_class_init (DynoMeasurerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_measurer_finalize;
}

static void
dyno_measurer_init (DynoMeasurer *self)
{
  self->measurement = dyno_measurement_new ();
  g_mutex_init (&self->lock);
  atomic_store (&self->phase, -1);
}

DynoMeasurer *
dyno_measurer_new (DynoCase *kase, guint invocation, gboolean analyses)
{
  DynoMeasurer *self;

  g_return_val_if_fail (DYNO_IS_CASE (kase), NULL);

  self = g_object_new (DYNO_TYPE_MEASURER, NULL);
  self->kase = g_object_ref (kase);
  self->invocation = invocation;
  self->analyses = analyses;
  self->activations = analyses;
  self->method = dyno_method_share_out (dyno_case_get_method (kase));
  self->metrics = dyno_metric_create_all (invocation == 0);
  return self;
}

DynoMeasurer *
dyno_measurer_new_for_analysis (DynoResult *measured, gboolean activations)
{
  DynoMeasurer *self = dyno_measurer_new (dyno_result_get_case (measured), 0, TRUE);

  self->measured = g_object_ref (measured);
  self->activations = activations;
  return self;
}

void
dyno_measurer_set_gate (DynoMeasurer *self, DynoTurnGate *gate)
{
  g_return_if_fail (DYNO_IS_MEASURER (self));

  self->gate = gate;
}

/* A reader that takes the time first and the phase second never sees a time beyond that phase. */
static void
enter_phase (DynoMeasurer *self, DynoPhase phase)
{
  atomic_store (&self->phase, (int)phase);
  self->measurement->phase_ns[phase] = dyno_clock_now_ns ();
}

/* Pass NULL before freeing a buffer. */
static void
show_live (DynoMeasurer *self, DynoSamples *samples, guint steps_per_sample)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->live = samples;
  self->live_steps = steps_per_sample;
  self->n_read = 0;
}

/* Finds the requested device, else the backend's default. Another process initialises the drivers, because
 * memory and time are measured in this one. */
static void
find_device (DynoMeasurer *self)
{
  DynoProber *prober = dyno_prober_get_default ();
  g_autofree char *library = dyno_case_dup_library (self->kase);
  g_autoptr (DynoProbe) probe = NULL;
  const char *id = dyno_case_get_device (self->kase);

  dyno_prober_set_library (prober, library);
  probe = dyno_prober_probe (prober, self->backend, DYNO_PROBER_NONE, NULL);
  self->measurement->device = *id != '\0' ? g_strdup (id) : NULL;
  g_set_object (&self->device, dyno_backend_find_device (self->backend, probe, id));
  if (self->device == NULL)
    return;
  self->measurement->device_kind = dyno_device_get_kind (self->device);
  self->measurement->device_address = g_strdup (dyno_device_get_address (self->device));
}

/* An engine that quantises decides the types of the weights, and with them the work of a step. */
static gboolean
write_model (DynoMeasurer *self, GError **error)
{
  DynoModel *written;

  self->onnx_path = dyno_calibration_prepare (self->kase, self->backend, self->model, error);
  written = self->onnx_path != NULL ? dyno_model_as_written (self->model, self->onnx_path, error) : NULL;
  if (written == NULL)
    return FALSE;
  g_object_unref (self->model);
  self->model = written;
  return TRUE;
}

static gboolean
prepare (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;

  measurement->given_bytes = (double)dyno_case_get_bytes_per_step (self->kase);
  self->backend = dyno_backend_lookup (dyno_case_get_backend (self->kase), error);
  if (self->backend == NULL || !dyno_backend_start (self->backend, error))
    return FALSE;

  /* The precision and the attention of the case determine the model's inputs and sizes. */
  g_autoptr (DynoModel) loaded = dyno_model_load (dyno_case_get_model (self->kase), error);

  if (loaded != NULL)
    self->model = dyno_case_adapt_model (self->kase, loaded, error);
  g_clear_object (&loaded); /* so that the model is not in memory twice while its file is written */
  if (self->model == NULL || !dyno_load_parse (dyno_case_get_load (self->kase), &self->load, error))
    return FALSE;
  self->workload = dyno_workload_new (self->kase, self->model, error);
  if (self->workload == NULL || !write_model (self, error))
    return FALSE;
  measurement->model = g_object_ref (self->model);
  measurement->seed = dyno_case_get_seed (self->kase);
  measurement->batch_size = dyno_case_get_batch_size (self->kase);
  measurement->sequence_length = dyno_model_counts_tokens (self->model) && !dyno_model_is_served (self->model)
                                     ? dyno_case_get_sequence_length (self->kase)
                                     : 0;
  if (measurement->sequence_length > 0)
    measurement->prompt_tokens = dyno_model_count_prompt (self->model, measurement->sequence_length);
  if (dyno_model_has_cache (self->model))
    measurement->n_generated = dyno_case_get_generate_tokens (self->kase);
  measurement->sampling_milliseconds = dyno_method_get_sampling_milliseconds (self->method);
  find_device (self);
  measurement->power_milliseconds = dyno_method_get_power_milliseconds (self->method);
  measurement->clock_resolution_ns = dyno_clock_measure_resolution_ns ();
  measurement->clock_overhead_ns = dyno_clock_measure_overhead_ns ();
  measurement->warm_up = dyno_samples_new (WARM_UP_CAPACITY);
  return TRUE;
}

/* Without pinning, numbers are noisier but not wrong; a case that names a placement, however, is only measured in that
 * placement. */
static gboolean
pin (DynoMeasurer *self, GError **error)
{
  const char *policy = dyno_case_get_pinning (self->kase);
  guint threads = dyno_case_get_threads (self->kase);
  g_autoptr (GError) local_error = NULL;

  /* Stages take turns, so the one with the most threads counts; 0 is all that there are. */
  for (guint i = 0; threads > 0 && self->stage_options != NULL && i < self->stage_options->len; i++)
    threads = MAX (threads, ((const DynoStageOptions *)self->stage_options->pdata[i])->threads);

  /* Enough threads for all clients: with those of one client the others would wait for its processors. */
  if (dyno_pinning_bind (policy, dyno_load_count_threads (&self->load, threads, g_get_num_processors ()),
                         &local_error))
    return TRUE;
  if (*policy != '\0')
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, "not-pinned",
                                   local_error->message);
  return TRUE;
}

static DynoBinding *
bind (DynoMeasurer *self, GError **error)
{
  return dyno_model_bind (self->model, dyno_case_get_batch_size (self->kase),
                          dyno_case_get_sequence_length (self->kase), dyno_case_get_dimensions (self->kase),
                          error);
}

static gboolean
choose_options (DynoMeasurer *self, GError **error)
{
  g_autoptr (GHashTable) all = dyno_engine_options_parse (dyno_case_get_options (self->kase), error);

  if (all == NULL || !dyno_engine_options_check (all, self->backend, error))
    return FALSE;
  self->engine = dyno_engine_options_take_stage (all, NULL);
  self->stage_options = dyno_case_list_stage_options (self->kase);
  if (g_str_equal (dyno_model_get_weights_origin (self->model), "file"))
    self->external_files = dyno_model_list_external_files (self->model);
  /* If all steps have the same sizes. */
  if (dyno_case_get_generate_tokens (self->kase) == 0 && self->load.shape == DYNO_LOAD_SINGLE)
    self->sizes = bind (self, NULL);
  self->options = (DynoSessionOptions){
    .device = self->device != NULL ? dyno_device_get_id (self->device) : self->measurement->device,
    .precision = dyno_case_get_computed_precision (self->kase),
    .threads = dyno_case_get_threads (self->kase),
    .batch_size = dyno_case_get_batch_size (self->kase),
    .n_positions = self->measurement->sequence_length > 0
                       ? dyno_model_count_positions (self->model, self->measurement->sequence_length,
                                                     MAX (self->measurement->n_generated, 1))
                       : 0,
    .optimise = TRUE,
    .profile = FALSE,
    .external_files = self->external_files,
    /* The description must match the graph that is opened. */
    .inputs = dyno_model_get_inputs (self->model),
    .outputs = dyno_model_get_outputs (self->model),
    .sizes = self->sizes,
    .engine = self->engine,
    .stages = self->stage_options,
    .heard = &self->heard,
  };
  return TRUE;
}

/* Reads power itself, because the sampler has stopped once the measurement is over. */
static void
look_at_idle (DynoMeasurement *measurement, gint64 edges[2])
{
  gint64 until;

  if (measurement->rest_seconds <= 0)
    return;
  edges[0] = dyno_clock_now_ns ();
  until = edges[0] + (gint64)(NS_PER_SECOND * measurement->rest_seconds);
  do
    {
      dyno_sampler_mark_edge (measurement->sampler);
      g_usleep (MIN (IDLE_PERIOD_US, (gulong)(G_USEC_PER_SEC * measurement->rest_seconds)));
    }
  while (dyno_clock_now_ns () < until);
  dyno_sampler_mark_edge (measurement->sampler);
  edges[1] = dyno_clock_now_ns ();
}

/* Sampling begins before anything is loaded and, if there is a power sensor, with the idle machine. */
static void
begin (DynoMeasurer *self)
{
  DynoMeasurement *measurement = self->measurement;
  DynoMethod *asked = dyno_case_get_method (self->kase);

  measurement->idle_seconds = MIN (dyno_method_get_idle_seconds (asked), dyno_method_get_max_seconds (asked));
  measurement->is_of_given_duration =
      dyno_method_get_min_seconds (asked) >= dyno_method_get_max_seconds (asked);
  measurement->origin_ns = dyno_clock_now_ns ();
  measurement->origin_wall_us = g_get_real_time ();
  measurement->sampler = dyno_sampler_new (measurement->origin_ns);
  if (measurement->power_milliseconds > 0 && measurement->device_kind != DYNO_DEVICE_KIND_REMOTE)
    measurement->sensors = dyno_sensor_set_discover (dyno_method_get_tdp_watts (self->method));
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_start, measurement);
  dyno_sampler_start (measurement->sampler);
  look_at_idle (measurement, measurement->rest_ns);
}

/* If requests are sent from processors that the server may use as well, the client takes time from it. */
static void
leave_processors (DynoMeasurement *measurement)
{
  const GArray *owners = measurement->server->processes;
  g_autoptr (GArray) all =
      owners != NULL ? dyno_process_family_list_all ((const GPid *)(gpointer)owners->data, owners->len)
                     : NULL;

  if (all == NULL || all->len == 0 || dyno_pinning_avoid ((const GPid *)(gpointer)all->data, all->len))
    return;
  dyno_measurement_add_diagnostic (
      measurement, DYNO_SEVERITY_INFO, "client-shares-processors",
      _ ("The server may run on all processors from which requests are sent, so the client takes some of its "
         "time. Start the server with “taskset” on some of them, and the client keeps to the others."));
}

static void
look_at_session (DynoMeasurement *measurement, DynoSession *session)
{
  guint n_stages;
  const DynoStageClock *clocks = dyno_session_get_stage_clocks (session, &n_stages);

  measurement->server = dyno_session_describe_server (session);
  if (measurement->server != NULL)
    {
      const DynoServer *server = measurement->server;
      g_autofree char *message = NULL;

      if (server->elsewhere != NULL)
        message = g_strdup_printf (
            _ ("%s Its memory, its processor time and the power that it takes are not known."),
            server->elsewhere);
      else
        message = g_strdup_printf (
            _ ("The server is process %d and those that it started: memory and processor time are theirs."),
            (int)g_array_index (server->processes, GPid, 0));
      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "server", message);
    }
  measurement->n_requests = dyno_session_get_requests (session);
  if (measurement->n_requests != 1)
    {
      /* The reader of a latency must know how many requests it covers. */
      g_autofree char *message = g_strdup_printf (
          ngettext (
              "A step is %u request: its latency is that of the whole query, until the last one is done.",
              "A step is %u requests at once: its latency is that of the whole query, until the last one "
              "is done.",
              measurement->n_requests),
          measurement->n_requests);

      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "requests-in-flight", message);
    }
  measurement->has_allocator = dyno_session_get_allocator_stats (session, &measurement->allocator_loaded);
  measurement->provider = g_strdup (dyno_session_get_provider (session));
  if (n_stages > 0)
    measurement->stage_providers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < n_stages; i++)
    g_hash_table_insert (measurement->stage_providers, g_strdup (clocks[i].name),
                         g_strdup (dyno_session_get_provider (clocks[i].session)));
  measurement->settings = dyno_session_read_settings (session);
  measurement->has_own_clock = dyno_session_has_own_clock (session);
  if (measurement->has_own_clock)
    measurement->clock_resolution_ns = dyno_session_get_clock_resolution_ns (session);
}

/* Requests without a slot wait in the server, and their waiting cannot be told from work. */
static void
mention_slots (DynoMeasurer *self)
{
  guint n_slots = self->measurement->server->n_slots;
  g_autofree char *message = NULL;

  if (n_slots == 0 || self->load.clients <= n_slots)
    return;
  message = g_strdup_printf (
      _ ("%u clients ask at once, and the server works on %u requests at once: the others wait in the "
         "server, and that time is part of the latency. Let it work on more, or ask with fewer clients."),
      self->load.clients, n_slots);
  dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "more-than-slots", message);
}

static void
mention_load (DynoMeasurer *self)
{
  g_autofree char *label = dyno_load_dup_label (dyno_case_get_load (self->kase));
  g_autofree char *message = NULL;

  if (self->measurement->server != NULL)
    message = g_strdup_printf (_ ("Load: %s. Each client has a connection of its own to the server."), label);
  else
    message = g_strdup_printf (self->load.own_sessions
                                   ? _ ("Load: %s. Each client has opened the model for itself.")
                                   : _ ("Load: %s. Clients share one session, each with inputs of its own."),
                               label);

  dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "load", message);
  if (self->measurement->server != NULL)
    {
      mention_slots (self);
      return;
    }

  /* Threads that take turns on a core measure the kernel's scheduler. */
  guint n_processors = g_get_num_processors ();
  guint threads = dyno_case_get_threads (self->kase);
  guint each = threads > 0 ? threads : n_processors;

  if (self->load.clients != 1 && self->load.clients * each > n_processors)
    {
      g_autofree char *threads_message = g_strdup_printf (
          _ ("%u clients with %u threads each are more than the %u hardware threads here, and wait for each "
             "other. Choose fewer threads, so that clients times threads is at most that."),
          self->load.clients, each, n_processors);

      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "oversubscribed",
                                       threads_message);
    }

  if (dyno_case_get_generate_tokens (self->kase) > 0 && self->load.clients > 1)
    dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "no-continuous-batching",
                                     _ ("There is no continuous batching in this engine: generations at the "
                                        "same time are not put into one step, they only take turns."));
}

static gboolean
open_clients (DynoMeasurer *self, GError **error)
{
  /* A server works on several requests at once by itself, so a single client would limit it. */
  const DynoServer *server = self->measurement->server;
  gboolean has_queue =
      self->load.shape == DYNO_LOAD_OFFLINE || (self->load.shape == DYNO_LOAD_RATE && self->load.rate > 0);

  if (server != NULL && has_queue && !self->load.has_clients)
    self->load.clients = server->n_slots > 0 ? MIN (server->n_slots, DYNO_LOAD_MAX_CLIENTS) : SERVED_CLIENTS;

  self->clients =
      dyno_load_clients_new (self->kase, self->model, self->backend, self->onnx_path, &self->options);
  if (self->load.shape == DYNO_LOAD_MULTI)
    self->measurement->n_requests *= self->load.clients;
  mention_load (self);
  return dyno_load_clients_open (self->clients, self->measurement->session, self->load.clients,
                                 !self->load.own_sessions, error);
}

static char *
dup_input_values (DynoMeasurer *self, DynoBinding *sizes)
{
  gboolean is_own = !g_str_equal (dyno_model_get_weights_origin (self->model), "file");

  return sizes == NULL || (is_own && *dyno_case_get_inputs (self->kase) == '\0')
             ? NULL
             : dyno_model_dup_input_values (self->model, sizes, dyno_case_get_inputs (self->kase),
                                            dyno_case_get_seed (self->kase));
}

/* A file is as it is. */
static void
mention_quantisation (DynoMeasurer *self)
{
  gboolean is_given = *dyno_case_get_inputs (self->kase) != '\0';
  g_autofree char *message = NULL;

  if (dyno_model_get_file_precision (self->model) != NULL)
    return;
  if (dyno_precision_is_reduced (dyno_case_get_precision (self->kase)))
    dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, DYNO_PRECISION_REDUCED,
                                     _ ("The weights have 7 bits instead of 8, because this processor adds "
                                        "products of bytes in 16 bits, where products of 8 bits overflow."));
  if (!dyno_model_needs_ranges (self->model))
    return;
  message = is_given
                ? g_strdup (_ ("Activations are quantised between the smallest and the largest number that "
                               "each had with the given inputs."))
                : g_strdup_printf (_ ("Activations are quantised between the smallest and the largest number "
                                      "that each had over %d random inputs. For others, give typical inputs "
                                      "(--input)."),
                                   DYNO_CALIBRATION_INPUTS);
  dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "calibrated", message);
}

static gboolean
load (DynoMeasurer *self, GError **error)
{
  enter_phase (self, DYNO_PHASE_LOAD);
  self->measurement->session = dyno_backend_open (self->backend, self->onnx_path, &self->options, error);
  if (self->measurement->session == NULL)
    return FALSE;
  g_clear_pointer (&self->libraries, g_ptr_array_unref);
  self->libraries = dyno_engine_library_list_open ();
  if (!dyno_session_options_are_mixed (&self->options))
    g_ptr_array_set_size (self->libraries, (gint)MIN (self->libraries->len, 1));
  look_at_session (self->measurement, self->measurement->session);
  if (self->measurement->server != NULL && *dyno_case_get_pinning (self->kase) == '\0')
    leave_processors (self->measurement);

  const char *given = dyno_case_get_precision (self->kase);
  const char *computed = dyno_case_get_computed_precision (self->kase);
  if (!g_str_equal (dyno_precision_get_computed (given), computed))
    {
      g_autofree char *message =
          g_strdup_printf (_ ("The model is in %s, but the engine was told to compute in %s: outputs and "
                              "roofs are compared at that precision."),
                           given, computed);

      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "inference-precision", message);
    }

  mention_quantisation (self);

  g_autofree char *note = dyno_model_dup_note (self->model);
  if (note != NULL)
    dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, DYNO_MODEL_NOTE, note);

  /* A file does not describe its inputs, so the sizes and values that were used are part of the result. */
  g_autoptr (GHashTable) sizes = bind (self, NULL);
  g_autofree char *values = dup_input_values (self, sizes);
  if (values != NULL)
    dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "inputs", values);
  if (self->load.shape != DYNO_LOAD_SINGLE && !open_clients (self, error))
    return FALSE;
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_loaded, self->measurement);
  return TRUE;
}

static void
rest (DynoMeasurer *self)
{
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_rest, self->measurement);
}

static gboolean
first_run (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;

  if (!dyno_workload_prepare (self->workload, measurement->session, error))
    return FALSE;
  /* Some engines compile for the sizes of the first inputs. */
  measurement->load_stages = dyno_session_get_load_stages (measurement->session);
  show_live (self, measurement->warm_up, 1);
  enter_phase (self, DYNO_PHASE_FIRST_RUN);
  if (!dyno_workload_sample (self->workload, measurement->warm_up, 1, error))
    return FALSE;

  /* The very first request may have loaded the model. */
  g_autoptr (GPtrArray) served = dyno_workload_take_served (self->workload);

  if (served != NULL && served->len > 0)
    self->measurement->server->first_load_ms = MAX (((const DynoServed *)served->pdata[0])->load_ms, 0);

  rest (self);
  return TRUE;
}

static void
show_requests (gpointer data, DynoSamples *samples)
{
  show_live (data, samples, 1);
}

static DynoLoadRun
describe_load (DynoMeasurer *self)
{
  return (DynoLoadRun){
    .measurement = self->measurement,
    .method = self->method,
    .load = self->load,
    .clients = self->clients,
    .session = self->measurement->session,
    .seed = dyno_case_get_seed (self->kase) + self->invocation,
    .show = show_requests,
    .show_data = self,
  };
}

static gboolean
warm_up (DynoMeasurer *self, GError **error)
{
  DynoMethod *method = self->method;
  DynoSamples *samples = self->measurement->warm_up;
  gint64 began, elapsed;
  gint64 at_least = (gint64)(NS_PER_SECOND * dyno_method_get_warmup_seconds (method));
  gint64 at_most = (gint64)(NS_PER_SECOND * MAX (dyno_method_get_warmup_seconds (method),
                                                 dyno_method_get_max_seconds (method)));

  enter_phase (self, DYNO_PHASE_WARM_UP);

  /* The engine has started its threads by now. */
  if (g_str_equal (dyno_method_get_priority (method), DYNO_PRIORITY_HIGH))
    {
      g_autoptr (GError) refusal = NULL;
      g_autofree char *message = dyno_priority_raise (&refusal);

      dyno_measurement_add_diagnostic (self->measurement,
                                       refusal == NULL ? DYNO_SEVERITY_INFO : DYNO_SEVERITY_WARNING,
                                       "priority", refusal == NULL ? message : refusal->message);
    }

  began = dyno_clock_now_ns ();
  do
    {
      if (!dyno_workload_sample (self->workload, samples, 1, error))
        return FALSE;
      elapsed = dyno_clock_now_ns () - began;
    }
  while (!dyno_samples_is_full (samples) && elapsed < at_most &&
         (elapsed < at_least || dyno_samples_get_length (samples) <= dyno_method_get_warmup_steps (method)));
  rest (self);
  if (self->clients != NULL)
    {
      DynoLoadRun run = describe_load (self);

      return dyno_load_run_warm_up (&run, error);
    }
  return TRUE;
}

/* Allocates twice as many samples of @step_ns as fit the time. */
static void
allocate_samples (DynoMeasurer *self, double step_ns)
{
  DynoMeasurement *measurement = self->measurement;
  DynoMethod *method = self->method;
  double expected =
      NS_PER_SECOND * dyno_method_get_max_seconds (method) / (step_ns * measurement->steps_per_sample);

  expected = MAX (2 * expected, 2.0 * dyno_method_get_min_samples (method));
  measurement->samples = dyno_samples_new ((gsize)CLAMP (expected, 100, MAX_SAMPLES));
  dyno_workload_reserve (self->workload, measurement->samples->capacity, measurement);
  dyno_measurement_reserve_stages (measurement, measurement->samples->capacity);
  show_live (self, measurement->samples, measurement->steps_per_sample);
}

/* Measures one stretch, with the checks between stretches. */
static gboolean
measure_and_rest (DynoMeasurer *self, gint64 until, GError **error)
{
  gsize end;

  /* Measures without a pause until @until, but at least one sample. */
  DynoSamples *samples = self->measurement->samples;
  guint steps = self->measurement->steps_per_sample;
  DynoDisturbance disturbance;
  dyno_stretch_begin (self->measurement, &disturbance);
  do
    {
      if (G_UNLIKELY (!dyno_workload_sample (self->workload, samples, steps, error)))
        return FALSE;
      if (self->measurement->stages->len > 0)
        dyno_measurement_record_stages (self->measurement);
      if (dyno_samples_get_last_end (samples) >= self->measurement->window_begin_ns + DYNO_WINDOW_NS)
        {
          dyno_stretch_end_window (self->measurement);
          dyno_stretch_begin_window (self->measurement);
        }
    }
  while (dyno_samples_get_last_end (samples) < until && !dyno_samples_is_full (samples));
  dyno_stretch_end_window (self->measurement);
  dyno_stretch_end (self->measurement, &disturbance);

  end = dyno_samples_get_length (self->measurement->samples);
  g_array_append_val (self->measurement->chunk_ends, end);
  rest (self);
  return TRUE;
}

/* Measures until the result is precise enough or the time is up, or until it should @start_over, if that is still
 * allowed, because samples are too short for the clock. */
static gboolean
measure_once (DynoMeasurer *self, gboolean may_start_over, gboolean *start_over, GError **error)
{
  DynoMethod *method = self->method;
  DynoMeasurement *measurement = self->measurement;
  DynoStopRule rule = { .percent = dyno_method_get_interval_percent (method) };
  double total_seconds = dyno_method_get_min_seconds (method) / (TIME_SHARE * DYNO_STOP_RULE_GROWTH);
  gint64 begin, deadline;

  g_array_set_size (measurement->chunk_ends, 0);
  g_array_set_size (measurement->chunk_end_ns, 0);
  g_array_set_size (measurement->disturbances, 0);
  g_array_set_size (measurement->windows, 0);
  g_array_set_size (measurement->accounts, 0);
  enter_phase (self, DYNO_PHASE_MEASURE);
  begin = dyno_clock_now_ns ();

  /* Energy needs a longer window, but only in the invocation that measures energy. */
  double asked = dyno_method_get_max_seconds (dyno_case_get_method (self->kase));
  double window = MIN (measurement->window_seconds, asked);

  deadline = begin + (gint64)(NS_PER_SECOND * MAX (dyno_method_get_max_seconds (method), window));
  do
    {
      gint64 until = begin + (gint64)(NS_PER_SECOND * total_seconds);
      gsize first = dyno_samples_get_length (measurement->samples);

      if (!measure_and_rest (self, MIN (until, deadline), error))
        return FALSE;
      *start_over =
          may_start_over && !dyno_batching_is_enough (measurement->samples, first,
                                                      dyno_samples_get_length (measurement->samples),
                                                      measurement->clock_resolution_ns);
      total_seconds = (double)(dyno_clock_now_ns () - begin) / NS_PER_SECOND;
      total_seconds = MAX (total_seconds * DYNO_STOP_RULE_GROWTH, total_seconds + MIN_CHUNK_SECONDS);
    }
  while (!*start_over && dyno_steady_state_judge (measurement, method, &rule) == DYNO_VERDICT_MORE &&
         dyno_clock_now_ns () < deadline && !dyno_samples_is_full (measurement->samples));
  return TRUE;
}

static void
report_turn (DynoMeasurement *measurement, gsize first, DynoTurnReport *report)
{
  gsize n = dyno_samples_get_length (measurement->samples) - first;
  gsize last_turn = dyno_samples_get_length (measurement->cold) - 1;
  g_autofree double *values =
      dyno_samples_to_milliseconds (measurement->samples, first, first + n, measurement->steps_per_sample);
  g_autofree double *cold = dyno_samples_to_milliseconds (measurement->cold, last_turn, last_turn + 1,
                                                          measurement->steps_per_sample);

  dyno_stats_sort (values, n);
  report->cold_ms = *cold;
  report->median_ms = dyno_stats_percentile (values, n, 50);
  report->sample_ms = report->median_ms * measurement->steps_per_sample;
}

static gboolean
take_turn (DynoMeasurer *self, guint n_samples, DynoTurnReport *report, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  gsize end, first = dyno_samples_get_length (measurement->samples);
  gint64 start = dyno_clock_now_ns ();

  report->median_ms = NAN;
  if (dyno_samples_is_full (measurement->samples) || dyno_samples_is_full (measurement->cold))
    return TRUE;
  g_array_append_val (measurement->turn_starts, start);

  /* While the others worked, the caches of this side went cold, so its first sample is kept apart. */
  gsize n_prefills = measurement->prefills != NULL ? dyno_samples_get_length (measurement->prefills) : 0;
  gsize n_decodes = measurement->decodes != NULL ? dyno_samples_get_length (measurement->decodes) : 0;

  if (!dyno_workload_sample (self->workload, measurement->cold, measurement->steps_per_sample, error))
    return FALSE;
  if (measurement->prefills != NULL)
    {
      dyno_samples_truncate (measurement->prefills, n_prefills);
      dyno_samples_truncate (measurement->decodes, n_decodes);
    }
  dyno_measurement_skip_stages (measurement);

  DynoDisturbance disturbance;

  dyno_stretch_begin (measurement, &disturbance);
  for (guint i = 0; i < n_samples && !dyno_samples_is_full (measurement->samples); i++)
    {
      if (G_UNLIKELY (!dyno_workload_sample (self->workload, measurement->samples,
                                             measurement->steps_per_sample, error)))
        return FALSE;
      if (measurement->stages->len > 0)
        dyno_measurement_record_stages (measurement);
    }
  dyno_stretch_end_window (measurement);
  dyno_stretch_end (measurement, &disturbance);

  end = dyno_samples_get_length (measurement->samples);
  g_array_append_val (measurement->chunk_ends, end);
  report_turn (measurement, first, report);
  rest (self);
  return TRUE;
}

/* The runner sees all sides, so it decides how long to measure. */
static gboolean
measure_turns (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  DynoStopRule rule = { .percent = dyno_method_get_interval_percent (self->method) };
  gsize n = dyno_samples_get_length (measurement->warm_up);
  g_autofree double *values = dyno_samples_to_milliseconds (measurement->warm_up, n / 2, n, 1);
  DynoTurnReport report = { NAN, NAN, NAN };
  guint n_samples;

  dyno_stats_sort (values, n - n / 2);
  report.sample_ms = dyno_stats_percentile (values, n - n / 2, 50) * measurement->steps_per_sample;
  measurement->turn_starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  measurement->cold = dyno_samples_new (MAX_TURNS);
  enter_phase (self, DYNO_PHASE_MEASURE);
  for (;;)
    {
      gint64 start = dyno_clock_now_ns ();

      n_samples = dyno_turn_gate_wait (self->gate, &report);
      measurement->turn_wait_ns += dyno_clock_now_ns () - start;
      if (n_samples == 0)
        break;
      if (!take_turn (self, n_samples, &report, error))
        return FALSE;
    }
  if (measurement->chunk_ends->len > 0)
    {
      dyno_steady_state_judge (measurement, self->method, &rule);
      return TRUE;
    }
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("The case got no turn, so there is nothing to report."));
  return FALSE;
}

static gboolean
measure_until_precise (DynoMeasurer *self, GError **error)
{
  gboolean start_over = FALSE;

  for (guint n_restarts = 0;; n_restarts++)
    {
      if (!measure_once (self, n_restarts < MAX_RESTARTS, &start_over, error))
        return FALSE;
      if (!start_over)
        return TRUE;

      /* Samples so far count as warm-up. */
      DynoMeasurement *measurement = self->measurement;
      gsize n = dyno_samples_get_length (measurement->samples);
      guint before = measurement->steps_per_sample;
      double resolution = measurement->clock_resolution_ns;
      double step = dyno_batching_find_shortest_step (measurement->samples, 0, n, before, resolution);
      guint steps = dyno_batching_choose_steps (measurement->samples, 0, n, before, resolution);
      show_live (self, NULL, 1);
      g_clear_pointer (&measurement->samples, dyno_samples_free);
      g_clear_pointer (&measurement->prefills, dyno_samples_free);
      g_clear_pointer (&measurement->decodes, dyno_samples_free);
      measurement->steps_per_sample = MAX (steps, before + 1);
      dyno_batching_report_enlarged (measurement, before, n);
      allocate_samples (self, step);
    }
}

static gboolean
measure (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;

  measurement->chunk_ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  measurement->chunk_end_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  measurement->disturbances = g_array_new (FALSE, FALSE, sizeof (DynoDisturbance));
  measurement->accounts = g_array_new (FALSE, FALSE, sizeof (DynoServerAccount));
  if (self->clients != NULL)
    {
      DynoLoadRun run = describe_load (self);

      enter_phase (self, DYNO_PHASE_MEASURE);
      if (!dyno_load_run_measure (&run, error))
        return FALSE;
      rest (self);
      return TRUE;
    }

  measurement->windows = g_array_new (FALSE, FALSE, sizeof (DynoWindow));
  measurement->watch = dyno_core_watch_new ();

  /* The number of steps per sample follows from the second half of the warm-up. */
  gsize n = dyno_samples_get_length (measurement->warm_up);
  double resolution = measurement->clock_resolution_ns;

  measurement->steps_per_sample = dyno_batching_choose_steps (measurement->warm_up, n / 2, n, 1, resolution);
  allocate_samples (self, dyno_batching_find_shortest_step (measurement->warm_up, n / 2, n, 1, resolution));

  if (!(self->gate != NULL ? measure_turns (self, error) : measure_until_precise (self, error)))
    return FALSE;
  dyno_steady_state_sum_up (measurement, self->method, dyno_case_get_method (self->kase),
                            measurement->chunk_ends);
  dyno_batching_sum_up (measurement);
  return TRUE;
}

/* The last step of a generation has other sizes than the prompt; only the fixed dimensions are known. */
static gboolean
check_outputs (DynoMeasurer *self, DynoBinding *binding, GError **error)
{
  gboolean is_claim = g_str_equal (dyno_model_get_weights_origin (self->model), "file");
  g_autoptr (GPtrArray) notes = is_claim ? g_ptr_array_new_with_free_func (g_free) : NULL;
  g_autoptr (GPtrArray) empty = g_ptr_array_new_with_free_func (g_free);
  const DynoOutputDeclaration declaration = {
    .outputs = dyno_model_get_outputs (self->model),
    .binding = dyno_case_get_generate_tokens (self->kase) == 0 ? binding : NULL,
    .notes = notes,
    .empty = empty,
    .is_covered = dyno_vector_check_covers (self->kase, self->model),
  };

  if (!dyno_output_check (self->measurement->session, &declaration, error))
    return FALSE;

  g_autofree char *sizes = dyno_binding_to_string (binding);
  g_autofree char *names =
      dyno_plain_text_join ((const char *const *)declaration.empty->pdata, declaration.empty->len, ", ", "");
  g_autofree char *message = NULL;

  for (guint i = 0; declaration.notes != NULL && i < declaration.notes->len; i++)
    dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "declared-shape",
                                     declaration.notes->pdata[i]);
  if (declaration.empty->len != 0)
    {
      /* Translators: the names of outputs, and sizes such as “batch 1, sequence 128” */
      message = g_strdup_printf (_ ("There is no element in these outputs: %s. A step at %s may have "
                                    "computed little or nothing. Choose other sizes or inputs."),
                                 names, sizes);
      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, "empty-output", message);
    }

  return TRUE;
}

/* The copy back is timed when the outputs are fetched, which only the first process has done for its
 * answer. An engine elsewhere that reports its own times would transfer them here for nothing. */
static void
close_session (DynoMeasurer *self)
{
  if (self->measurement->session == NULL)
    return;

  gboolean fetches = self->invocation > 0 && !dyno_session_has_own_clock (self->measurement->session);
  g_autoptr (GPtrArray) outputs =
      fetches ? dyno_session_get_outputs (self->measurement->session, NULL) : NULL;

  self->measurement->has_transfers =
      dyno_session_get_transfer_times (self->measurement->session, &self->measurement->transfers);
  g_clear_pointer (&self->clients, dyno_load_clients_free);
  g_clear_object (&self->measurement->session);
}

/* Returns the precision of the case, or that of a stage which costs more of the accuracy. */
static const char *
get_coarsest (DynoMeasurer *self)
{
  const char *coarsest = dyno_case_get_precision (self->kase);
  g_auto (GStrv) precisions = dyno_model_dup_precisions (self->model);

  for (char **precision = precisions; *precision != NULL; precision++)
    if (dyno_output_comparison_get_tolerance (*precision) > dyno_output_comparison_get_tolerance (coarsest))
      coarsest = g_intern_string (*precision);
  return coarsest;
}

/* Loads the reference for a model with quantised weights, in a precision that the CPU backend lacks, or
 * with fused attention. */
static DynoModel *
load_exact (DynoMeasurer *self)
{
  const char *precision = get_coarsest (self);
  g_autoptr (DynoModel) decomposed = dyno_model_with_attention (self->model, "decomposed", NULL);

  if (dyno_precision_is_quantised (precision) && dyno_model_get_file_precision (self->model) != NULL)
    return NULL; /* the weights before rounding are unknown */
  if (g_str_equal (dyno_model_get_weights_origin (self->model), "file"))
    return NULL;
  /* A cache in 8 bits is only decomposed in another precision. */
  if (decomposed == NULL)
    {
      g_autoptr (DynoModel) single = dyno_model_in_precision (self->model, dyno_precision_list ()[0], NULL);

      return single != NULL ? dyno_model_with_attention (single, "decomposed", NULL) : NULL;
    }
  return dyno_precision_get_quantisation (precision) != NULL || g_str_equal (precision, "bf16") ||
                 decomposed != self->model || dyno_model_get_format (self->model) == DYNO_MODEL_FORMAT_GGUF
             ? dyno_model_in_precision (decomposed, dyno_precision_list ()[0], NULL)
             : NULL;
}

/* Without another engine, the outputs show only some faults: numbers that are none, shapes, and those for a test
 * vector. */
static gboolean
check_alone (DynoMeasurer *self, GError **error)
{
  g_autoptr (GHashTable) binding = bind (self, error);

  return binding != NULL && check_outputs (self, binding, error) &&
         dyno_vector_check (self->kase, self->measurement, binding, error);
}

/* The outputs are checked last, because copies of them would count as memory of the model. */
static gboolean
sum_up (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  gboolean is_looked_at = self->invocation == 0 && !dyno_model_is_served (self->model);

  enter_phase (self, DYNO_PHASE_ANALYSE);
  dyno_sampler_stop (measurement->sampler);
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_stop, measurement);
  measurement->has_allocator =
      measurement->has_allocator &&
      dyno_session_get_allocator_stats (measurement->session, &measurement->allocator);
  dyno_measurement_record_stage_memory (measurement);
  return !is_looked_at ||
         (dyno_expert_count_take (self->workload, measurement, error) && check_alone (self, error));
}

/* The session is closed after its answers are taken, so that two engines do not use memory at the same time. */
static gboolean
analyse (DynoMeasurer *self, GError **error)
{
  g_autoptr (GHashTable) binding = bind (self, error);
  DynoModel *exact = self->exact;
  g_autoptr (DynoWorkload) exact_workload =
      exact != NULL ? dyno_workload_new (self->kase, exact, error) : NULL;
  g_autoptr (DynoSession) profiled = NULL;
  const DynoAnalysis analysis = { self->backend,       self->onnx_path,
                                  &self->options,      self->workload,
                                  get_coarsest (self), exact,
                                  exact_workload,      dyno_case_get_seed (self->kase),
                                  self->activations,   &profiled };
  g_autoptr (GPtrArray) answers = NULL;
  g_autoptr (GError) local_error = NULL;

  if (binding == NULL || (exact != NULL && exact_workload == NULL))
    return FALSE;
  if (self->is_profiled)
    profiled = g_steal_pointer (&self->measurement->session);
  else
    answers = dyno_answer_take (&analysis, self->measurement->session, &local_error);
  close_session (self);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (answers != NULL && !dyno_answer_check (&analysis, self->measurement, answers, binding, error))
    return FALSE;
  dyno_analysis_run (&analysis, self->measurement);
  dyno_graph_work_take (self->kase, self->measurement);
  return TRUE;
}

/* Metrics see the values of the measurement, which follow from no analysis. */
static gboolean
analyse_and_collect (DynoMeasurer *self, GError **error)
{
  gboolean analyses = self->analyses && self->invocation == 0;
  g_autoptr (GHashTable) sizes = dyno_model_bind_prompt (self->model, dyno_case_get_batch_size (self->kase),
                                                         dyno_case_get_sequence_length (self->kase),
                                                         dyno_case_get_dimensions (self->kase), NULL);
  g_autofree char *source = NULL;
  g_autofree char *computed = NULL;
  double sound = sizes != NULL ? dyno_sound_get_seconds (self->model, sizes,
                                                         dyno_case_get_dimensions (self->kase), &source)
                               : 0;
  double window = sizes != NULL ? dyno_sound_get_seconds (self->model, sizes, NULL, &computed) : 0;

  if (analyses && !dyno_model_is_served (self->model))
    {
      self->exact = load_exact (self);
      if (!analyse (self, error))
        return FALSE;
    }
  close_session (self); /* the answer of a server is text, and its operators are its own */
  look_at_idle (self->measurement, self->measurement->rest_after_ns);
  enter_phase (self, DYNO_N_PHASES);
  /* The rate of the sound in a file is not known for certain. */
  if (sound > 0)
    (g_str_equal (dyno_model_get_weights_origin (self->model), "file")
         ? dyno_measurement_add_estimated
         : dyno_measurement_add_measured) (self->measurement, "audio_seconds", sound, "s", source);
  if (window > sound)
    {
      g_autofree char *message =
          g_strdup_printf (_ ("The model hears %g s at once: each chunk of %g s is padded to that, and the "
                              "padding is computed as well. The real-time factor counts the chunk alone."),
                           window, sound);

      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_INFO, "chunk-padded", message);
    }
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_collect, self->measurement);
  if (analyses)
    {
      g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_analysed, self->measurement);
      dyno_engine_default_report (self->kase, self->backend, self->measurement);
    }
  else if (self->invocation == 0)
    dyno_measurement_add_diagnostic (
        self->measurement, DYNO_SEVERITY_INFO, DYNO_RESULT_NOT_ANALYSED,
        _ ("The case is analysed after all cases are measured. Until then nothing is known of its operators "
           "and its FLOPs, and its outputs are not compared with those of the CPU."));
  return TRUE;
}

static void
take_all (DynoResult *result, GPtrArray *items, void (*take) (DynoResult *, gpointer))
{
  g_autofree gpointer *data = NULL;
  gsize n = 0;

  data = g_ptr_array_steal (items, &n);
  for (gsize i = 0; i < n; i++)
    take (result, data[i]);
}

static DynoResult *
create_result (DynoMeasurer *self)
{
  DynoMeasurement *measurement = self->measurement;
  DynoResult *result = dyno_result_new (self->kase, 0);
  g_autofree char *pinning = dyno_pinning_describe ();
  g_autofree char *placement = g_strdup_printf (
      measurement->server != NULL ? _ ("CPUs from which requests are sent: %s.") : _ ("CPUs used: %s."),
      pinning);
  const char *device = self->device != NULL ? dyno_device_get_name (self->device) : NULL;
  const char *kind = measurement->device_kind != DYNO_DEVICE_KIND_UNKNOWN
                         ? dyno_device_kind_to_string (measurement->device_kind)
                         : NULL;
  const char *spec = dyno_case_get_model (self->kase);
  g_autofree char *provenance =
      self->measurement->server != NULL
          ? dyno_provenance_describe_served (spec, self->measurement->server)
          : dyno_provenance_describe (spec, self->onnx_path, dyno_case_get_seed (self->kase));

  /* For a served model, the server's number; 0 is unknown. */
  g_object_set (result, "model-name", dyno_model_get_name (self->model), "architecture",
                dyno_model_get_architecture (self->model), "device", device, "device-kind", kind, "weights",
                dyno_model_get_weights_origin (self->model), "parameter-count",
                self->measurement->server != NULL ? self->measurement->server->n_parameters
                                                  : dyno_model_get_parameter_count (self->model),
                NULL);
  take_all (result, measurement->values, (void (*) (DynoResult *, gpointer))dyno_result_take_value);
  take_all (result, measurement->traces, (void (*) (DynoResult *, gpointer))dyno_result_take_trace);
  take_all (result, measurement->operators, (void (*) (DynoResult *, gpointer))dyno_result_take_operator);
  take_all (result, measurement->diagnostics, (void (*) (DynoResult *, gpointer))dyno_result_take_diagnostic);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "placement", placement));
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "model", provenance));
  if (self->invocation == 0)
    dyno_provenance_add (result, self->libraries);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

static void
explain (DynoMeasurer *self, GError *error)
{
  g_autoptr (GHashTable) sizes = bind (self, NULL);
  g_autofree char *values = dup_input_values (self, sizes);

  /* Engines name a model that Dyno built by its file in the cache, which means nothing to the user. */
  g_autofree char *asked = g_canonicalize_filename (dyno_case_get_model (self->kase), NULL);
  g_auto (GStrv) parts = NULL;

  if (self->onnx_path != NULL && !g_str_equal (asked, self->onnx_path))
    {
      parts = g_strsplit (error->message, self->onnx_path, -1);
      g_free (error->message);
      error->message = g_strjoinv (dyno_model_get_name (self->model), parts);
    }

  if (self->other_length > 0)
    dyno_step_error_add_length (error, sizes, self->other_length);
  else if (atomic_load (&self->phase) == DYNO_PHASE_FIRST_RUN)
    dyno_step_error_add_remedy (error, self->model, sizes, values);
}

/* Only sizes that Dyno chose for a file by names and places may be changed. */
static gboolean
may_have_other_sizes (DynoMeasurer *self, const GError *error)
{
  return g_str_equal (dyno_model_get_weights_origin (self->model), "file") &&
         self->load.shape == DYNO_LOAD_SINGLE && dyno_case_get_generate_tokens (self->kase) == 0 &&
         (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_FAILED) ||
          g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT));
}

/* Returns whether the first step runs with the sizes that the case has now. */
static gboolean
runs_now (DynoMeasurer *self)
{
  g_clear_object (&self->workload);
  self->workload = dyno_workload_new (self->kase, self->model, NULL);
  return self->workload != NULL && first_run (self, NULL);
}

/* Returns whether the model runs at one of the sizes that are left to try after @error. */
static gboolean
search_sizes (DynoMeasurer *self, const GError *error)
{
  g_autofree char *given = g_strdup (dyno_case_get_dimensions (self->kase));
  g_auto (GStrv) sizes =
      may_have_other_sizes (self, error) ? dyno_size_search_list (self->model, given) : NULL;
  g_autoptr (GHashTable) chosen = bind (self, NULL);
  g_autofree char *failed = chosen != NULL ? dyno_binding_to_string (chosen) : NULL;
  gint64 end = dyno_clock_now_ns () + (gint64)(NS_PER_SECOND * MAX_SEARCH_SECONDS);

  for (guint i = 0; sizes != NULL && failed != NULL && sizes[i] != NULL && dyno_clock_now_ns () < end; i++)
    {
      g_autofree char *message = NULL;

      g_object_set (self->kase, "dimensions", sizes[i], NULL);
      if (!runs_now (self))
        continue;
      /* Translators: sizes of dimensions, such as “height 224, width 224”, and such as “height=48,width=320” */
      message = g_strdup_printf (_ ("The model does not run at the sizes that Dyno chose first (%s), but "
                                    "does at %s. If it is made for others, give them (--dim %s)."),
                                 failed, sizes[i], sizes[i]);
      dyno_measurement_add_diagnostic (self->measurement, DYNO_SEVERITY_WARNING, "other-sizes", message);
      return TRUE;
    }
  g_object_set (self->kase, "dimensions", given, NULL);
  return FALSE;
}

/* Keeps a length that a person may have chosen, and suggests one that works. */
static void
find_length (DynoMeasurer *self, const GError *error)
{
  static const gint64 usual[] = { 512, 256, 77, 64, 32, 16, 8, 1, 1024, 2048 };
  guint given = dyno_case_get_sequence_length (self->kase);
  gint64 end = dyno_clock_now_ns () + (gint64)(NS_PER_SECOND * MAX_SEARCH_SECONDS);
  g_autoptr (GArray) lengths = NULL;

  if (!may_have_other_sizes (self, error) || !dyno_model_has_sequence (self->model))
    return;
  lengths = dyno_model_list_suggested_sizes (self->model);
  g_array_append_vals (lengths, usual, G_N_ELEMENTS (usual));
  for (guint i = 0; self->other_length == 0 && i < lengths->len && dyno_clock_now_ns () < end; i++)
    {
      gint64 length = g_array_index (lengths, gint64, i);

      if (length <= 0 || length > MAX_TRIED_TOKENS || length == given)
        continue;
      g_object_set (self->kase, "sequence-length", (guint)length, NULL);
      if (runs_now (self))
        self->other_length = (guint)length;
    }
  g_object_set (self->kase, "sequence-length", given, NULL);
}

static gboolean
first_run_or_search (DynoMeasurer *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (first_run (self, &local_error) || search_sizes (self, local_error))
    return TRUE;
  find_length (self, local_error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
check_placement (DynoResult *result, GError **error)
{
  if (!(dyno_result_get_number (result, "placement_percent") < MIN_PLACEMENT_PERCENT))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK,
               _ ("The work fell back, so this does not measure the device. %s"),
               dyno_result_find_message (result, "fallback"));
  return FALSE;
}

DynoResult *
dyno_measurer_run (DynoMeasurer *self, GError **error)
{
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (DYNO_IS_MEASURER (self), NULL);

  if (!prepare (self, error) || !choose_options (self, error) || !pin (self, error))
    return NULL;
  begin (self);
  if (!(load (self, &local_error) && first_run_or_search (self, &local_error) &&
        warm_up (self, &local_error) && measure (self, &local_error) && sum_up (self, &local_error) &&
        analyse_and_collect (self, &local_error)))
    {
      explain (self, local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  result = create_result (self);
  if (!check_placement (result, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* The values of the measurement are those that the rates of the analysis follow from. */
static void
take_measured (DynoMeasurer *self)
{
  GPtrArray *values = dyno_result_get_values (self->measured);
  DynoValue *median = dyno_result_get_value (self->measured, "latency_p50_ms");

  for (guint i = 0; i < values->len; i++)
    g_ptr_array_add (self->measurement->values, dyno_value_ref (values->pdata[i]));
  if (median != NULL && dyno_value_get_quality (median) == DYNO_QUALITY_UNSTEADY)
    self->measurement->steadiness = DYNO_STEADINESS_NONE;
  g_ptr_array_set_size (self->measurement->diagnostics, 0);
}

static DynoResult *
create_analysis_result (DynoMeasurer *self)
{
  DynoMeasurement *measurement = self->measurement;
  DynoResult *result = dyno_result_new (self->kase, 0);

  for (guint i = 0; i < measurement->values->len; i++)
    if (!g_ptr_array_find (dyno_result_get_values (self->measured), measurement->values->pdata[i], NULL))
      dyno_result_take_value (result, dyno_value_ref (measurement->values->pdata[i]));
  take_all (result, measurement->operators, (void (*) (DynoResult *, gpointer))dyno_result_take_operator);
  take_all (result, measurement->diagnostics, (void (*) (DynoResult *, gpointer))dyno_result_take_diagnostic);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

/* Returns the SHA-256 that the words contain; NULL if there is none. */
static char *
find_hash (const char *words)
{
  g_autoptr (GRegex) pattern = g_regex_new ("\\b[0-9a-f]{64}\\b", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return words != NULL && g_regex_match (pattern, words, 0, &match) ? g_match_info_fetch (match, 0) : NULL;
}

/* A run may be analysed days after it was measured. */
static gboolean
check_same_model (DynoMeasurer *self, GError **error)
{
  g_autofree char *now = dyno_provenance_describe (dyno_case_get_model (self->kase), self->onnx_path,
                                                   dyno_case_get_seed (self->kase));
  g_autofree char *hash = find_hash (now);
  g_autofree char *measured = find_hash (dyno_result_find_message (self->measured, "model"));

  if (hash == NULL || measured == NULL || g_str_equal (hash, measured))
    return TRUE;
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("The model has changed since it was measured. Measure it again."));
  return FALSE;
}

DynoResult *
dyno_measurer_analyse (DynoMeasurer *self, GError **error)
{
  DynoMeasurement *measurement = self->measurement;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (self->measured != NULL, NULL);

  if (!prepare (self, error) || !check_same_model (self, error) || !choose_options (self, error) ||
      !pin (self, error))
    return NULL;
  measurement->origin_ns = dyno_clock_now_ns ();
  enter_phase (self, DYNO_PHASE_LOAD);

  /* The answers of the CPU backend are compared with no others, so the first session to open is that of the profile. */
  DynoSessionOptions options = self->options;

  self->exact = load_exact (self);
  self->is_profiled = dyno_reference_is_backend (self->backend, &self->options) && self->exact == NULL;
  options.profile = self->is_profiled;
  measurement->session = dyno_backend_open (self->backend, self->onnx_path, &options, &local_error);
  if (measurement->session != NULL)
    {
      look_at_session (measurement, measurement->session);
      take_measured (self);
      enter_phase (self, DYNO_PHASE_ANALYSE);
    }
  if (measurement->session == NULL || !analyse (self, &local_error))
    {
      explain (self, local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  g_ptr_array_foreach (self->metrics, (GFunc)dyno_metric_analysed, measurement);
  dyno_engine_default_report (self->kase, self->backend, measurement);
  dyno_measurement_add_measured (measurement, DYNO_RESULT_ANALYSIS_MS,
                                 (double)(dyno_clock_now_ns () - measurement->origin_ns) / 1e6, "ms",
                                 "CLOCK_MONOTONIC_RAW around the analysis");
  result = create_analysis_result (self);
  if (!check_placement (result, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* Checks the placement if the engine reports it; otherwise it is only known when the case is measured. */
static gboolean
check_any_placed (DynoSession *session, GError **error)
{
  g_autoptr (GPtrArray) nodes = dyno_session_end_profile (session, NULL);
  const char *provider = dyno_session_get_provider (session);
  const DynoNodeProfile *node = NULL;

  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      node = nodes->pdata[i];
      if (node->provider == NULL || provider == NULL || g_str_equal (node->provider, provider))
        return TRUE;
    }
  if (node == NULL)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK,
               _ ("No operator ran on the requested device (%s); “%s”, for example, ran on “%s”."), provider,
               node->op_type, node->provider);
  return FALSE;
}

gboolean
dyno_measurer_try (DynoMeasurer *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (DYNO_IS_MEASURER (self), FALSE);

  if (!prepare (self, error) || !choose_options (self, error) || !pin (self, error))
    return FALSE;

  DynoMeasurement *measurement = self->measurement;

  enter_phase (self, DYNO_PHASE_LOAD);
  self->options.profile = TRUE;
  measurement->session = dyno_backend_open (self->backend, self->onnx_path, &self->options, &local_error);
  if (measurement->session != NULL &&
      dyno_workload_prepare (self->workload, measurement->session, &local_error))
    {
      enter_phase (self, DYNO_PHASE_FIRST_RUN);
      if (dyno_session_run (measurement->session, &local_error) &&
          check_any_placed (measurement->session, &local_error))
        return TRUE;
    }

  explain (self, local_error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

JsonObject *
dyno_measurer_try_left_alone (DynoMeasurer *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_MEASURER (self), NULL);

  if (!prepare (self, error) || !choose_options (self, error))
    return NULL;
  self->options.left_alone = TRUE;
  self->measurement->session = dyno_backend_open (self->backend, self->onnx_path, &self->options, error);
  return self->measurement->session != NULL
             ? dyno_engine_default_try (self->measurement->session, self->workload)
             : NULL;
}

const char *
dyno_measurer_get_phase (DynoMeasurer *self)
{
  int phase = atomic_load (&self->phase);

  return phase < 0 ? "prepare" : dyno_phase_to_string ((DynoPhase)phase);
}

guint64
dyno_measurer_get_progress (DynoMeasurer *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  guint64 phase = (guint64)(atomic_load (&self->phase) + 1);
  guint64 heard = atomic_load (&self->heard) & HEARD_MASK;

  return (heard << 40) + (phase << 32) + (self->live != NULL ? dyno_samples_get_length (self->live) : 0);
}

gint64
dyno_measurer_get_time (DynoMeasurer *self)
{
  if (atomic_load (&self->phase) < 0 || self->measurement->origin_ns == 0)
    return -1;
  return dyno_clock_now_ns () - self->measurement->origin_ns;
}

gint64
dyno_measurer_read_other_memory (DynoMeasurer *self)
{
  return dyno_process_memory_read (self->measurement->others);
}

void
dyno_measurer_read_usage (DynoMeasurer *self, GPtrArray *names, GArray *percents)
{
  /* A process that only analyses has no sampler. */
  if (atomic_load (&self->phase) > DYNO_PHASE_LOAD && self->measurement->sampler != NULL)
    dyno_sampler_list_usage (self->measurement->sampler, names, percents);
}

void
dyno_measurer_read_latencies (DynoMeasurer *self, guint max_points, GArray *times_ns, GArray *milliseconds)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gsize length, stride;

  g_return_if_fail (max_points > 0);

  if (self->live == NULL)
    return;
  length = dyno_samples_get_length (self->live);
  stride = (length - self->n_read + max_points - 1) / max_points;
  for (gsize i = self->n_read; i < length; i += stride)
    {
      gint64 time = self->live->starts[i] - self->measurement->origin_ns;
      double latency = (double)self->live->durations[i] / (1e6 * self->live_steps);

      g_array_append_val (times_ns, time);
      g_array_append_val (milliseconds, latency);
    }
  self->n_read = length;
}
