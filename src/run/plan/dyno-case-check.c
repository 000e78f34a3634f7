/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-binding.h"
#include "dyno-case-check.h"
#include "dyno-compatibility.h"
#include "dyno-engine-options.h"
#include "dyno-model-reader.h"
#include "dyno-pinning.h"
#include "dyno-priority.h"

#define MAX_THREADS_PER_PROCESSOR 16

static char *
explain_engine (DynoResult *result, const DynoDemand *demand)
{
  DynoCase *kase = dyno_result_get_case (result);
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);
  g_autofree char *library = dyno_case_dup_library (kase);
  g_autoptr (DynoProbe) probe = NULL;
  char *reason;

  /* The probe is of the usual library; another one is tried. */
  if (backend != NULL && library == NULL)
    probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
  /* A backend whose probe was deferred is tried: by now it may be ready. */
  if (probe == NULL || dyno_probe_get_state (probe) == DYNO_PROBE_DEFERRED)
    return dyno_compatibility_explain_machine (demand);
  reason = dyno_compatibility_explain (demand, backend, probe, dyno_case_get_device (kase));
  if (reason == NULL)
    {
      /* The numbers must not be mistaken for those of a graphics card. */
      DynoDevice *device = dyno_backend_find_device (backend, probe, dyno_case_get_device (kase));

      if (!dyno_device_kind_is_hardware (dyno_device_get_kind (device)))
        {
          gboolean is_emulated = dyno_device_get_kind (device) == DYNO_DEVICE_KIND_EMULATED;
          g_autofree char *message = g_strdup_printf (
              is_emulated
                  ? _ ("“%s” is emulated on the CPU: its outputs are those of the device, its times are not.")
                  : _ ("“%s” is software-emulated on the CPU: the results are those of the CPU, not of a "
                       "GPU."),
              dyno_device_get_name (device));

          dyno_result_take_diagnostic (
              result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "software-device", message));
        }
    }
  return reason;
}

static const char *
find_similar (GListModel *devices, const char *id)
{
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      if (g_ascii_strcasecmp (dyno_device_get_id (device), id) == 0)
        return dyno_device_get_id (device); /* owned by the list */
    }
  return NULL;
}

/* A device id in the wrong letter case means that device. */
static gboolean
check_spelling (DynoResult *result, const DynoDemand *demand)
{
  const char *id = dyno_case_get_device (demand->kase);
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (demand->kase), NULL);
  g_autoptr (DynoProbe) probe = NULL;
  g_autofree char *reason = NULL;
  const char *similar;

  if (backend == NULL || *id == '\0')
    return TRUE;
  probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
  similar = find_similar (dyno_probe_get_devices (probe), id);
  if (similar == NULL || dyno_probe_find_device (probe, id) != NULL)
    return TRUE;
  reason = g_strdup_printf (_ ("The backend “%s” has no device “%s” here. Did you mean “%s:%s”?"),
                            dyno_backend_get_id (backend), id, dyno_backend_get_id (backend), similar);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

static gboolean
check_options (DynoResult *result, const DynoDemand *demand)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (demand->kase), NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (demand->kase), &error);

  if (options != NULL && (backend == NULL || dyno_engine_options_check (options, backend, &error)))
    return TRUE;
  dyno_result_set_status (result, DYNO_STATUS_FAILED, error->message);
  return FALSE;
}

/* Nothing is started for a load that the backend cannot be under. */
static gboolean
check_load (DynoResult *result, const DynoDemand *demand)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (demand->kase), NULL);
  const char *reason = backend != NULL ? dyno_backend_get_runs_alone (backend) : NULL;
  g_autoptr (GError) error = NULL;
  DynoLoad load;

  if (!dyno_load_parse (dyno_case_get_load (demand->kase), &load, &error))
    dyno_result_set_status (result, DYNO_STATUS_FAILED, error->message);
  else if (load.shape != DYNO_LOAD_SINGLE && reason != NULL)
    dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_pinning (DynoResult *result, const DynoDemand *demand)
{
  g_autoptr (GError) error = NULL;

  if (dyno_pinning_check (dyno_case_get_pinning (demand->kase), &error))
    return TRUE;
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, error->message);
  return FALSE;
}

static gboolean
check_priority (DynoResult *result, const DynoDemand *demand)
{
  g_autoptr (GError) error = NULL;

  if (dyno_priority_check (dyno_method_get_priority (dyno_case_get_method (demand->kase)), &error))
    return TRUE;
  dyno_result_set_status (result, DYNO_STATUS_FAILED, error->message);
  return FALSE;
}

/* Thousands of threads only wait for each other. */
static gboolean
check_threads (DynoResult *result, const DynoDemand *demand)
{
  guint threads = dyno_case_get_threads (demand->kase);
  guint n_usable = MAX (dyno_machine_get_n_usable_threads (demand->machine), 1);
  guint most = MAX_THREADS_PER_PROCESSOR * n_usable;
  g_auto (GStrv) stages = dyno_case_list_stages (demand->kase);
  g_autofree char *reason = NULL;

  for (char **stage = stages; *stage != NULL; stage++)
    {
      g_autoptr (DynoCase) own = dyno_case_for_stage (demand->kase, *stage);

      threads = MAX (threads, dyno_case_get_threads (own));
    }

  if (threads <= most)
    return TRUE;
  reason = g_strdup_printf (_ ("The case has %u threads, but this machine runs %u at a time, and more than "
                               "%u per hardware thread only wait for each other. Choose at most %u threads."),
                            threads, n_usable, MAX_THREADS_PER_PROCESSOR, most);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

static gboolean
check_generation (DynoResult *result, const DynoDemand *demand)
{
  guint prompt = dyno_case_get_sequence_length (demand->kase);
  guint generated = dyno_case_get_generate_tokens (demand->kase);
  g_autofree char *reason = NULL;
  guint most;

  if (generated == 0 || dyno_model_takes_tokens (demand->model, prompt, generated, &most))
    return TRUE;
  reason = g_strdup_printf (_ ("“%s” takes at most %u tokens, too few for a prompt of %u and %u generated "
                               "ones. Choose a shorter sequence, or generate fewer."),
                            dyno_model_get_name (demand->model), most, prompt, generated);
  dyno_result_set_status (result, DYNO_STATUS_FAILED, reason);
  return FALSE;
}

/* A server writes at least one token. */
static gboolean
check_token_limits (DynoResult *result, const DynoDemand *demand)
{
  guint n_tokens =
      MAX (dyno_case_get_generate_tokens (demand->kase), dyno_model_is_served (demand->model) ? 1 : 0);
  DynoLoad load;

  if (!dyno_load_parse (dyno_case_get_load (demand->kase), &load, NULL) || !dyno_load_limits_tokens (&load) ||
      n_tokens >= (load.limits_ms[DYNO_LOAD_LIMIT_INTER_TOKEN] > 0 ? 2 : 1))
    return TRUE;
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED,
                          _ ("The load limits the times of tokens, but the case generates too few to have "
                             "any. Choose how many tokens to generate, or leave that limit out."));
  return FALSE;
}

/* This option, if an engine has it, sets how many requests a step starts together. The engine rejects any
 * other text than a number. */
static guint
get_requests (DynoCase *kase)
{
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);
  const char *text = options != NULL ? g_hash_table_lookup (options, "requests") : NULL;
  guint64 n = 1;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT, &n, NULL);
  return (guint)n;
}

/* The worker would refuse the case for the same reason, but only after it has started. */
static gboolean
check_generated_requests (DynoResult *result, const DynoDemand *demand)
{
  guint n_requests = get_requests (demand->kase);
  g_autofree char *reason = NULL;

  if (n_requests == 1 || dyno_case_get_generate_tokens (demand->kase) == 0)
    return TRUE;
  reason = g_strdup_printf (_ ("Tokens are generated with one request at a time, but the case has %u "
                               "requests. Choose one request, or generate no tokens."),
                            n_requests);
  dyno_result_set_status (result, DYNO_STATUS_FAILED, reason);
  return FALSE;
}

/* Only one request can use the tensors that a stage passes to the next. */
static gboolean
check_staged_requests (DynoResult *result, const DynoDemand *demand)
{
  guint n_requests = get_requests (demand->kase);
  g_auto (GStrv) stages = dyno_model_dup_stages (demand->model);
  g_autofree char *joined = g_strjoinv (", ", stages);
  g_autofree char *reason = NULL;

  if (n_requests == 1 || *stages == NULL)
    return TRUE;
  reason = g_strdup_printf (_ ("“%s” runs in stages (%s) that hand over to each other one request at a time, "
                               "but the case has %u requests. Choose one request."),
                            dyno_model_get_name (demand->model), joined, n_requests);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

static gboolean
add_bytes (GPtrArray *infos, DynoBinding *binding, gint64 *bytes)
{
  for (guint i = 0; i < infos->len; i++)
    {
      DynoShape shape;

      if (!dyno_binding_get_shape (binding, infos->pdata[i], &shape) || dyno_shape_bytes (&shape) < 0)
        return FALSE;
      *bytes += dyno_shape_bytes (&shape);
    }
  return TRUE;
}

/* Each request has its own inputs and outputs; intermediate results belong to the stream. The model's own
 * check counts the first request and reports when even one does not fit. */
static gboolean
check_requests_memory (DynoResult *result, const DynoDemand *demand)
{
  guint n_further = get_requests (dyno_result_get_case (result)) - 1;
  gint64 available = dyno_machine_get_available_memory (demand->machine);
  gint64 each = 0, one;
  double needed;
  g_autofree char *arithmetic = NULL;
  g_autofree char *each_text = NULL;
  g_autofree char *reason = NULL;

  if (n_further == 0 || available <= 0 ||
      !add_bytes (dyno_model_get_inputs (demand->model), demand->binding, &each) ||
      !add_bytes (dyno_model_get_outputs (demand->model), demand->binding, &each))
    return TRUE;
  one = dyno_model_estimate_memory (demand->model, demand->binding, &arithmetic);
  needed = (double)one + (double)n_further * (double)each;
  if (one > available || needed <= (double)available)
    return TRUE;
  each_text = g_format_size ((guint64)each);
  reason = g_strdup_printf (_ ("The case needs about %.1f GB of memory (%s + %u further requests × %s of "
                               "inputs and outputs), but %.1f GB are available. Choose fewer requests."),
                            needed / 1e9, arithmetic, n_further, each_text, (double)available / 1e9);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

/* Returns the model in the precision and with the attention of the case; if there is none, the model as it
 * is, for the other checks. */
static DynoModel *
load (DynoCase *kase, GError **error)
{
  g_autoptr (DynoModel) model = dyno_model_reader_load (dyno_case_get_model (kase), NULL, error);
  DynoModel *converted = model != NULL ? dyno_case_adapt_model (kase, model, NULL) : NULL;

  return converted != NULL ? converted : g_steal_pointer (&model);
}

static DynoBinding *
bind (DynoModel *model, DynoCase *kase, GError **error)
{
  return dyno_model_bind (model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                          dyno_case_get_dimensions (kase), error);
}

static gboolean (*const checks[]) (DynoResult *result, const DynoDemand *demand) = {
  check_threads,         check_options,         check_load,
  check_spelling,        check_pinning,         check_priority,
  check_generation,      check_token_limits,    check_generated_requests,
  check_staged_requests, check_requests_memory,
};

static gboolean
check (DynoResult *result, DynoMachine *machine, gboolean advises, GPtrArray *tried)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = load (kase, &error);
  g_autoptr (GHashTable) binding = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *advice = NULL;
  g_autofree char *text = NULL;
  DynoDemand demand;

  if (model != NULL)
    {
      g_object_set (result, "model-name", dyno_model_get_name (model), "architecture",
                    dyno_model_get_architecture (model), "parameter-count",
                    dyno_model_get_parameter_count (model), NULL);

      binding = bind (model, kase, &error);
    }
  if (binding == NULL)
    {
      dyno_result_set_status (result, DYNO_STATUS_FAILED, error->message);
      return FALSE;
    }
  demand = (DynoDemand){ model, binding, kase, machine };
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    if (!checks[i](result, &demand))
      return FALSE;
  /* Missing hardware or engine features skip a case; they do not fail it. */
  reason = explain_engine (result, &demand);
  if (reason == NULL)
    return TRUE;
  advice = advises ? dyno_compatibility_recommend (&demand, tried) : NULL;
  text = advice != NULL ? g_strdup_printf ("%s %s", reason, advice) : g_strdup (reason);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, text);
  return FALSE;
}

gboolean
dyno_case_check (DynoResult *result, DynoMachine *machine, GPtrArray *tried)
{
  return check (result, machine, TRUE, tried);
}

gboolean
dyno_case_check_alone (DynoResult *result, DynoMachine *machine)
{
  return check (result, machine, FALSE, NULL);
}

gint64
dyno_case_estimate_bytes (DynoCase *kase, gboolean on_device)
{
  g_autoptr (DynoModel) model = load (kase, NULL);
  g_autoptr (GHashTable) binding = model != NULL ? bind (model, kase, NULL) : NULL;

  if (binding == NULL)
    return 0;
  return on_device ? dyno_model_estimate_device_memory (model, binding, NULL)
                   : dyno_model_estimate_memory (model, binding, NULL);
}

char *
dyno_case_recommend (DynoCase *kase, DynoMachine *machine, GPtrArray *tried)
{
  g_autoptr (DynoModel) model = load (kase, NULL);
  g_autoptr (GHashTable) binding = model != NULL ? bind (model, kase, NULL) : NULL;
  const DynoDemand demand = { model, binding, kase, machine };

  return binding != NULL ? dyno_compatibility_recommend (&demand, tried) : NULL;
}

char *
dyno_case_find_nearest (DynoCase *kase, DynoMachine *machine, GPtrArray *tried)
{
  g_autoptr (DynoModel) model = load (kase, NULL);
  g_autoptr (GHashTable) binding = model != NULL ? bind (model, kase, NULL) : NULL;
  const DynoDemand demand = { model, binding, kase, machine };

  return binding != NULL ? dyno_compatibility_find_nearest (&demand, tried) : NULL;
}
