/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-compatibility.h"
#include "dyno-engine-options.h"
#include "dyno-inputs.h"
#include "dyno-model-description.h"
#include "dyno-precision.h"
#include "dyno-run-worker-private.h"

/* Building a large model before it runs takes long. */
#define TRIAL_SECONDS 300

struct _DynoCompatibility
{
  GObject parent_instance;

  char *model;
  DynoBackend *backend;
  DynoDevice *device;
  char *precision;
  DynoCase *kase;
  DynoCompatibilityVerdict verdict;
  char *reason;
  gboolean is_remembered;
};

enum
{
  PROP_0,
  PROP_MODEL,
  PROP_BACKEND,
  PROP_DEVICE,
  PROP_PRECISION,
  PROP_VERDICT,
  PROP_REASON,
  N_PROPS
};

G_DEFINE_ENUM_TYPE (DynoCompatibilityVerdict,
                    dyno_compatibility_verdict,
                    G_DEFINE_ENUM_VALUE (DYNO_COMPATIBILITY_REFUSED, "refused"),
                    G_DEFINE_ENUM_VALUE (DYNO_COMPATIBILITY_NOT_TRIED, "not-tried"),
                    G_DEFINE_ENUM_VALUE (DYNO_COMPATIBILITY_RUNS, "runs"),
                    G_DEFINE_ENUM_VALUE (DYNO_COMPATIBILITY_DOES_NOT_RUN, "does-not-run"))

G_DEFINE_FINAL_TYPE (DynoCompatibility, dyno_compatibility, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_compatibility_finalize (GObject *object)
{
  DynoCompatibility *self = DYNO_COMPATIBILITY (object);

  g_free (self->model);
  g_clear_object (&self->backend);
  g_clear_object (&self->device);
  g_free (self->precision);
  g_clear_object (&self->kase);
  g_free (self->reason);

  G_OBJECT_CLASS (dyno_compatibility_parent_class)->finalize (object);
}

static void
dyno_compatibility_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoCompatibility *self = DYNO_COMPATIBILITY (object);

  switch (prop_id)
    {
    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;
    case PROP_BACKEND:
      g_value_set_object (value, self->backend);
      break;
    case PROP_DEVICE:
      g_value_set_object (value, self->device);
      break;
    case PROP_PRECISION:
      g_value_set_string (value, self->precision);
      break;
    case PROP_VERDICT:
      g_value_set_enum (value, self->verdict);
      break;
    case PROP_REASON:
      g_value_set_string (value, self->reason);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_compatibility_class_init (DynoCompatibilityClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_compatibility_finalize;
  object_class->get_property = dyno_compatibility_get_property;

  properties[PROP_MODEL] = g_param_spec_string ("model", NULL, NULL, NULL, flags);
  properties[PROP_BACKEND] = g_param_spec_object ("backend", NULL, NULL, DYNO_TYPE_BACKEND, flags);
  properties[PROP_DEVICE] = g_param_spec_object ("device", NULL, NULL, DYNO_TYPE_DEVICE, flags);
  properties[PROP_PRECISION] = g_param_spec_string ("precision", NULL, NULL, NULL, flags);
  properties[PROP_VERDICT] = g_param_spec_enum ("verdict", NULL, NULL, DYNO_TYPE_COMPATIBILITY_VERDICT,
                                                DYNO_COMPATIBILITY_REFUSED, flags);
  properties[PROP_REASON] = g_param_spec_string ("reason", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_compatibility_init (DynoCompatibility *self)
{
}

const char *
dyno_compatibility_get_model (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), NULL);
  return self->model;
}

DynoBackend *
dyno_compatibility_get_backend (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), NULL);
  return self->backend;
}

DynoDevice *
dyno_compatibility_get_device (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), NULL);
  return self->device;
}

const char *
dyno_compatibility_get_precision (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), NULL);
  return self->precision;
}

DynoCompatibilityVerdict
dyno_compatibility_get_verdict (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), DYNO_COMPATIBILITY_REFUSED);
  return self->verdict;
}

const char *
dyno_compatibility_verdict_to_string (DynoCompatibilityVerdict verdict)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_COMPATIBILITY_VERDICT);
  GEnumValue *enum_value = g_enum_get_value (enum_class, (int)verdict);

  return enum_value != NULL ? enum_value->value_nick : NULL;
}

const char *
dyno_compatibility_verdict_get_label (DynoCompatibilityVerdict verdict)
{
  switch (verdict)
    {
    case DYNO_COMPATIBILITY_REFUSED:
      /* Translators: what becomes of a model on a device */
      return _ ("Skipped");
    case DYNO_COMPATIBILITY_NOT_TRIED:
      return _ ("May run (not tried)");
    case DYNO_COMPATIBILITY_RUNS:
      return _ ("Runs");
    case DYNO_COMPATIBILITY_DOES_NOT_RUN:
      return _ ("Cannot run");
    default:
      g_return_val_if_reached (NULL);
    }
}

const char *
dyno_compatibility_get_reason (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), NULL);
  return self->reason;
}

gboolean
dyno_compatibility_can_try (DynoCompatibility *self)
{
  g_return_val_if_fail (DYNO_IS_COMPATIBILITY (self), FALSE);

  return self->verdict == DYNO_COMPATIBILITY_NOT_TRIED ||
         (self->verdict == DYNO_COMPATIBILITY_DOES_NOT_RUN && self->is_remembered);
}

static void
conclude (DynoCompatibility *self, DynoCompatibilityVerdict verdict, const char *reason)
{
  self->verdict = verdict;
  self->is_remembered = FALSE;
  g_free (self->reason);
  self->reason = g_strdup (reason);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VERDICT]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REASON]);
}

static void
tried_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoCompatibility *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (dyno_worker_client_try_finish (DYNO_WORKER_CLIENT (object), result, &error))
    conclude (self, DYNO_COMPATIBILITY_RUNS, NULL);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, error);
      return;
    }
  else
    conclude (self, DYNO_COMPATIBILITY_DOES_NOT_RUN, error->message);
  g_clear_error (&error);
  g_task_return_boolean (task, TRUE);
}

void
dyno_compatibility_try_async (DynoCompatibility *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (DynoWorkerClient) client = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (DYNO_IS_COMPATIBILITY (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_compatibility_try_async);
  if (self->verdict == DYNO_COMPATIBILITY_REFUSED)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  client = dyno_worker_client_new ();
  dyno_worker_client_set_limits (client, TRIAL_SECONDS, TRIAL_SECONDS);
  dyno_worker_client_try_async (client, self->kase, cancellable, tried_cb, g_steal_pointer (&task));
}

gboolean
dyno_compatibility_try_finish (DynoCompatibility *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
join_sentences (const char *reason, const char *remedy)
{
  return remedy != NULL ? g_strdup_printf ("%s %s", reason, remedy) : g_strdup (reason);
}

static char *
explain_no_device (DynoBackend *backend, DynoProbe *probe, const char *id)
{
  GListModel *devices = dyno_probe_get_devices (probe);
  DynoDevice *missing = id != NULL ? dyno_probe_find_missing_device (probe, id) : NULL;
  g_autoptr (GString) known = g_string_new (NULL);

  if (missing != NULL)
    return join_sentences (dyno_device_get_reason (missing), dyno_device_get_remedy (missing));
  if (g_list_model_get_n_items (devices) == 0)
    return g_strdup_printf (_ ("The backend “%s” found no device here."), dyno_backend_get_id (backend));
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      g_string_append_printf (known, "%s“%s”", known->len > 0 ? ", " : "", dyno_device_get_id (device));
    }
  return g_strdup_printf (_ ("The backend “%s” has no device “%s” here. It has: %s."),
                          dyno_backend_get_id (backend), id, known->str);
}

/* Adapting a model that is already adapted changes nothing. */
static char *
explain_model (const DynoDemand *demand)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) adapted = dyno_case_adapt_model (demand->kase, demand->model, &error);
  GPtrArray *inputs = adapted != NULL ? dyno_model_get_inputs (adapted) : NULL;
  g_autoptr (DynoInputValues) given =
      inputs != NULL ? dyno_input_values_new (dyno_case_get_inputs (demand->kase), inputs, &error) : NULL;

  if (given == NULL || !dyno_inputs_check (inputs, given, &error))
    return g_strdup (error->message);
  return NULL;
}

static char *
explain_precision (const DynoDemand *demand, DynoDevice *device)
{
  const char *of_file = dyno_model_get_file_precision (demand->model);
  const char *const *precisions = dyno_device_get_precisions (device);
  const char *precision = dyno_case_get_computed_precision (demand->kase);
  g_autofree char *known = NULL;

  /* An engine computes a quantised file as well as it can, even in another precision. */
  if (*precisions == NULL || g_strv_contains (precisions, precision) ||
      (of_file != NULL && dyno_precision_is_quantised (of_file)))
    return NULL;
  known = g_strjoinv (", ", (char **)precisions);
  return g_strdup_printf (_ ("“%s” does not compute in %s here. It computes in: %s."),
                          dyno_device_get_name (device), precision, known);
}

/* Quantised weights leave attention in the precision of the activations. */
static char *
explain_attention (const DynoDemand *demand, DynoDevice *device)
{
  const char *precision =
      dyno_precision_from_type (dyno_precision_get_type (dyno_case_get_precision (demand->kase)));
  g_auto (GStrv) operators = dyno_model_dup_operators (demand->model);

  if (precision == NULL || operators == NULL ||
      !g_strv_contains (dyno_device_get_unfused (device), precision) ||
      !g_strv_contains ((const char *const *)operators, "com.microsoft.GroupQueryAttention"))
    return NULL;
  return g_strdup_printf (_ ("“%s” does not take fused attention with a cache (GroupQueryAttention) in %s "
                             "here. Choose “attention=decomposed” or another precision."),
                          dyno_device_get_name (device), precision);
}

/* The memory that the case needs, the same on every device. It is estimated once, because every estimate
 * builds the model's graph. */
typedef struct
{
  const DynoDemand *demand;
  gint64 device_bytes;
  char *device_arithmetic; /* NULL until it is estimated */
  gint64 machine_bytes;
  char *machine_arithmetic; /* likewise */
} Estimates;

static void
estimates_clear (Estimates *self)
{
  g_free (self->device_arithmetic);
  g_free (self->machine_arithmetic);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Estimates, estimates_clear)

static gint64
estimate_device_bytes (Estimates *self)
{
  if (self->device_arithmetic == NULL)
    self->device_bytes = dyno_model_estimate_device_memory (self->demand->model, self->demand->binding,
                                                            &self->device_arithmetic);
  return self->device_bytes;
}

static char *
explain_device_memory (Estimates *estimates, DynoDevice *device)
{
  g_autofree char *needed_text = NULL;
  g_autofree char *memory_text = NULL;
  gint64 memory = dyno_device_get_memory (device);
  gint64 needed = memory != 0 ? estimate_device_bytes (estimates) : 0;

  if (memory == 0 || needed <= memory)
    return NULL;
  needed_text = g_format_size (needed);
  memory_text = g_format_size (memory);
  return g_strdup_printf (_ ("The case needs about %s of memory on “%s” (%s), but it has %s. Choose a "
                             "smaller batch, sequence or model."),
                          needed_text, dyno_device_get_name (device), estimates->device_arithmetic,
                          memory_text);
}

static char *
explain_machine (Estimates *estimates)
{
  gint64 available = dyno_machine_get_available_memory (estimates->demand->machine);

  if (available <= 0)
    return NULL;
  if (estimates->machine_arithmetic == NULL)
    estimates->machine_bytes = dyno_model_estimate_memory (
        estimates->demand->model, estimates->demand->binding, &estimates->machine_arithmetic);
  if (estimates->machine_bytes <= available)
    return NULL;
  return g_strdup_printf (_ ("The case needs about %.1f GB of memory (%s), but %.1f GB are available."),
                          (double)estimates->machine_bytes / 1e9, estimates->machine_arithmetic,
                          (double)available / 1e9);
}

char *
dyno_compatibility_explain_machine (const DynoDemand *demand)
{
  g_auto (Estimates) estimates = { demand };

  return explain_machine (&estimates);
}

/* A server runs only the models that it holds, and only a server runs those. */
static char *
explain_format (DynoModel *model, DynoBackend *backend)
{
  const char *name = dyno_model_get_name (model);
  const DynoEngineFormat *of_model = dyno_engine_format_find (dyno_model_get_format (model));
  const DynoEngineFormat *of_backend = dyno_engine_format_find (dyno_backend_get_format (backend));

  if (dyno_model_may_have_format (model, dyno_backend_get_format (backend)))
    return NULL;
  if (dyno_backend_serves (backend))
    return g_strdup (_ ("A server runs the models that it holds. Name one of those as “server:MODEL”; "
                        "“dyno-cli hardware” lists them."));
  if (dyno_model_is_served (model))
    return g_strdup_printf (
        _ ("“%s” is held by a server, and “%s” opens files. Choose the backend “server”."), name,
        dyno_backend_get_id (backend));
  if (dyno_model_get_format (model) == DYNO_MODEL_FORMAT_GGUF)
    return g_strdup_printf (_ ("“%s” is a GGUF file, and “%s” opens none. Choose the backend “llamacpp”."),
                            name, dyno_backend_get_id (backend));
  if (of_model != NULL)
    return g_strdup_printf (
        /* Translators: a file, the name of a format, and the ids of two backends */
        _ ("“%s” is a file of %s, and “%s” opens none. Choose the backend “%s”."), name, of_model->name,
        dyno_backend_get_id (backend), of_model->backend);
  if (of_backend != NULL)
    return g_strdup_printf (
        /* Translators: the id of a backend, the name of a format, and a model */
        _ ("“%s” opens files of %s. “%s” is none, and Dyno cannot write it as one. Name such a file, or "
           "choose another backend."),
        dyno_backend_get_id (backend), of_backend->name, name);
  return g_strdup_printf (_ ("“%s” opens GGUF files. “%s” is none, and Dyno cannot write it as one. Name "
                             "a GGUF file, or choose another "
                             "backend."),
                          dyno_backend_get_id (backend), name);
}

/* Returns why the stage cannot run there, in its own precision or on its own device. @device: that of the model. */
static char *
explain_stage (const DynoDemand *demand, const char *stage, DynoDevice *device)
{
  g_autoptr (DynoCase) kase = dyno_case_for_stage (demand->kase, stage);
  const DynoDemand own = { demand->model, demand->binding, kase, demand->machine };
  const char *id = dyno_case_get_device (kase);
  DynoBackend *of_model = dyno_backend_lookup (dyno_case_get_backend (demand->kase), NULL);
  DynoBackend *backend = NULL;
  g_autoptr (DynoProbe) probe = NULL;

  if (!g_str_equal (dyno_case_get_backend (kase), dyno_case_get_backend (demand->kase)) ||
      !g_str_equal (id, dyno_case_get_device (demand->kase)))
    backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);
  if (backend != NULL && dyno_backend_get_format (backend) != DYNO_MODEL_FORMAT_ONNX)
    return explain_format (demand->model, backend);
  if (backend != NULL && of_model != NULL &&
      (dyno_backend_get_runs_alone (backend) == NULL) != (dyno_backend_get_runs_alone (of_model) == NULL))
    return g_strdup_printf (_ ("The stage “%s” would run on “%s” and others on “%s”. One of these is a page "
                               "that times its steps itself, so a step of both cannot be timed. Choose "
                               "another device for the stage."),
                            stage, dyno_backend_get_id (backend), dyno_backend_get_id (of_model));
  if (backend != NULL)
    {
      probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
      device = dyno_backend_find_device (backend, probe, id);
    }
  if (device == NULL && dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    return join_sentences (dyno_probe_get_reason (probe), dyno_probe_get_remedy (probe));
  return device != NULL ? explain_precision (&own, device)
                        : explain_no_device (backend, probe, dyno_backend_choose_device (backend, probe, id));
}

/* @backend, @device: where the rest of the model would run, which may be elsewhere than the case says. */
static char *
explain_stages (const DynoDemand *demand, DynoBackend *backend, DynoDevice *device)
{
  g_auto (GStrv) stages = dyno_case_list_stages (demand->kase);
  g_autoptr (JsonNode) node = *stages != NULL ? dyno_case_to_json (demand->kase) : NULL;
  g_autoptr (DynoCase) there = NULL;
  DynoDemand own = *demand;
  char *reason = NULL;

  if (node == NULL)
    return NULL;
  own.kase = there = dyno_case_new_from_json (json_node_get_object (node), NULL);
  if (!g_str_equal (dyno_case_get_backend (there), dyno_backend_get_id (backend)))
    g_object_set (there, "backend", dyno_backend_get_id (backend), "device", dyno_device_get_id (device),
                  NULL);
  for (char **stage = stages; reason == NULL && *stage != NULL; stage++)
    reason = explain_stage (&own, *stage, device);
  return reason;
}

static char *
explain (Estimates *estimates, DynoBackend *backend, DynoProbe *probe, const char *device)
{
  const DynoDemand *demand = estimates->demand;
  char *reason = explain_format (demand->model, backend);
  DynoDevice *found;

  if (reason != NULL)
    return reason;
  found = dyno_backend_find_device (backend, probe, device);
  if (found == NULL && dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    return join_sentences (dyno_probe_get_reason (probe), dyno_probe_get_remedy (probe));
  if (found == NULL)
    return explain_no_device (backend, probe, dyno_backend_choose_device (backend, probe, device));
  reason = explain_model (demand);
  if (reason == NULL)
    reason = explain_precision (demand, found);
  if (reason == NULL)
    reason = explain_stages (demand, backend, found);
  if (reason == NULL)
    reason = explain_attention (demand, found);
  if (reason == NULL)
    {
      g_auto (GStrv) operators = dyno_model_dup_operators (demand->model);
      const DynoModelNeeds needs = {
        .precision = dyno_case_get_computed_precision (demand->kase),
        .device = dyno_device_get_id (found),
        .weight_bytes = dyno_model_get_weight_bytes (demand->model),
        .memory_bytes = estimate_device_bytes (estimates),
        .threads = dyno_case_get_threads (demand->kase),
        .generate_tokens = dyno_case_get_generate_tokens (demand->kase),
        .operators = (const char *const *)operators,
      };

      reason = dyno_backend_check_model (backend, &needs);
    }
  if (reason == NULL)
    reason = explain_device_memory (estimates, found);
  return reason != NULL ? reason : explain_machine (estimates);
}

char *
dyno_compatibility_explain (const DynoDemand *demand,
                            DynoBackend *backend,
                            DynoProbe *probe,
                            const char *device)
{
  g_auto (Estimates) estimates = { demand };

  return explain (&estimates, backend, probe, device);
}

/* The facts by which every cell of a list is judged. */
typedef struct
{
  GPtrArray *cells;
  const DynoDemand *demand;
  Estimates *estimates;
  GPtrArray *outcomes;
} Matrix;

static void
add_cell (const Matrix *matrix, DynoBackend *backend, DynoProbe *probe, DynoDevice *device)
{
  const DynoDemand *demand = matrix->demand;
  DynoCompatibility *cell = g_object_new (DYNO_TYPE_COMPATIBILITY, NULL);

  cell->model = g_strdup (dyno_model_get_name (demand->model));
  cell->backend = g_object_ref (backend);
  g_set_object (&cell->device, device);
  cell->precision = g_strdup (dyno_case_get_precision (demand->kase));
  cell->reason =
      explain (matrix->estimates, backend, probe, device != NULL ? dyno_device_get_id (device) : NULL);
  cell->verdict = cell->reason != NULL ? DYNO_COMPATIBILITY_REFUSED : DYNO_COMPATIBILITY_NOT_TRIED;

  g_autoptr (JsonNode) node = dyno_case_to_json (demand->kase);

  cell->kase = dyno_case_new_from_json (json_node_get_object (node), NULL);
  g_object_set (cell->kase, "backend", dyno_backend_get_id (backend), "device",
                device != NULL ? dyno_device_get_id (device) : "", NULL);
  if (cell->verdict == DYNO_COMPATIBILITY_NOT_TRIED && device != NULL)
    {
      /* A measurement here is stronger evidence than the lack of a known obstacle. */
      const DynoOutcome *outcome =
          dyno_outcome_find (matrix->outcomes, demand->kase, dyno_backend_get_id (backend),
                             dyno_device_get_id (device), dyno_backend_choose_device (backend, probe, NULL));

      if (outcome != NULL)
        {
          cell->is_remembered = TRUE;
          cell->verdict =
              dyno_outcome_has_run (outcome) ? DYNO_COMPATIBILITY_RUNS : DYNO_COMPATIBILITY_DOES_NOT_RUN;
          cell->reason = dyno_outcome_dup_text (outcome);
        }
    }
  g_ptr_array_add (matrix->cells, cell);
}

static void
add_cells (const Matrix *matrix, DynoBackend *backend, DynoProbe *probe, GListModel *devices)
{
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      add_cell (matrix, backend, probe, device);
    }
}

GPtrArray *
dyno_compatibility_list (const DynoDemand *demand, GPtrArray *outcomes, DynoProberFlags flags)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (GPtrArray) probes = dyno_prober_probe_all (dyno_prober_get_default (), backends, flags, NULL);
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Estimates) estimates = { demand };
  const Matrix matrix = { cells, demand, &estimates, outcomes };

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoProbe *probe = probes->pdata[i];
      GListModel *devices = dyno_probe_get_devices (probe);

      if (g_list_model_get_n_items (devices) == 0 || dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
        {
          add_cell (&matrix, backend, probe, NULL);
          continue;
        }
      add_cells (&matrix, backend, probe, devices);
      add_cells (&matrix, backend, probe, dyno_probe_get_missing_devices (probe));
    }
  return cells;
}

DynoTriedCase *
dyno_tried_case_new (DynoCase *kase, gboolean is_unread)
{
  DynoTriedCase *self = g_new (DynoTriedCase, 1);

  *self = (DynoTriedCase){ g_object_ref (kase), is_unread };
  return self;
}

void
dyno_tried_case_free (DynoTriedCase *self)
{
  g_object_unref (self->kase);
  g_free (self);
}

/* Only the same precision counts: a model that fails in another one may run in this one. */
static gboolean
is_tried (const DynoDemand *demand, const char *backend, const char *device, GPtrArray *tried)
{
  for (guint i = 0; tried != NULL && i < tried->len; i++)
    {
      const DynoTriedCase *one = tried->pdata[i];
      DynoCase *kase = one->kase;

      if (g_str_equal (dyno_case_get_backend (kase), backend) &&
          (one->is_unread || g_strcmp0 (dyno_case_get_device (kase), device) == 0) &&
          g_str_equal (dyno_case_get_model (kase), dyno_case_get_model (demand->kase)) &&
          g_str_equal (dyno_case_get_precision (kase), dyno_case_get_precision (demand->kase)))
        return TRUE;
    }
  return FALSE;
}

/* A device that may run the case. */
typedef struct
{
  char *spec;
  guint distance;
} Alternative;

static void
alternative_free (gpointer data)
{
  Alternative *alternative = data;

  g_free (alternative->spec);
  g_free (alternative);
}

static int
compare_distances (gconstpointer a, gconstpointer b)
{
  const Alternative *one = *(const Alternative *const *)a;
  const Alternative *other = *(const Alternative *const *)b;

  return (one->distance > other->distance) - (one->distance < other->distance);
}

/* The same engine is nearest, then hardware, then the same kind of device as the one that was asked for. */
static guint
measure_distance (const DynoDemand *demand, DynoBackend *backend, DynoDevice *device, guint place)
{
  DynoBackend *asked_backend = dyno_backend_lookup (dyno_case_get_backend (demand->kase), NULL);
  g_autoptr (DynoProbe) probe =
      asked_backend != NULL ? dyno_prober_recall (dyno_prober_get_default (), asked_backend) : NULL;
  DynoDevice *asked =
      probe != NULL ? dyno_backend_find_device (asked_backend, probe, dyno_case_get_device (demand->kase))
                    : NULL;
  guint distance = backend == asked_backend ? 0 : 1;

  distance = 2 * distance + (dyno_device_kind_is_hardware (dyno_device_get_kind (device)) ? 0 : 1);
  distance =
      2 * distance + (asked == NULL || dyno_device_get_kind (asked) == dyno_device_get_kind (device) ? 0 : 1);
  return (distance << 16) + MIN (place, G_MAXUINT16);
}

static void
add_alternatives (
    GPtrArray *alternatives, Estimates *estimates, DynoBackend *backend, DynoProbe *probe, GPtrArray *tried)
{
  const DynoDemand *demand = estimates->demand;
  GListModel *devices = dyno_probe_get_devices (probe);
  const char *usual = dyno_backend_choose_device (backend, probe, NULL);
  const char *id = dyno_backend_get_id (backend);

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
      const char *name = dyno_device_get_id (device);
      g_autofree char *reason = NULL;
      Alternative *alternative;

      /* What is emulated has no speed to tell. A case that named no device used the usual one. */
      if (dyno_device_get_kind (device) == DYNO_DEVICE_KIND_EMULATED || is_tried (demand, id, name, tried) ||
          (g_str_equal (name, usual) && is_tried (demand, id, "", tried)))
        continue;
      reason = explain (estimates, backend, probe, name);
      if (reason != NULL)
        continue;
      alternative = g_new0 (Alternative, 1);
      alternative->spec = g_strdup_printf ("%s:%s", id, name);
      alternative->distance = measure_distance (demand, backend, device, alternatives->len);
      g_ptr_array_add (alternatives, alternative);
    }
}

/* Returns Alternative, the nearest first. */
static GPtrArray *
list_alternatives (const DynoDemand *demand, GPtrArray *tried)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (GPtrArray) probes =
      dyno_prober_probe_all (dyno_prober_get_default (), backends, DYNO_PROBER_NONE, NULL);
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (demand->kase), NULL);
  g_auto (Estimates) estimates = { demand };
  GPtrArray *alternatives = g_ptr_array_new_with_free_func (alternative_free);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      if (options != NULL && dyno_engine_options_check (options, backend, NULL))
        add_alternatives (alternatives, &estimates, backend, probes->pdata[i], tried);
    }
  g_ptr_array_sort (alternatives, compare_distances);
  return alternatives;
}

char *
dyno_compatibility_recommend (const DynoDemand *demand, GPtrArray *tried)
{
  g_autoptr (GPtrArray) alternatives = list_alternatives (demand, tried);
  g_autoptr (GString) others = g_string_new (NULL);
  const char *nearest;

  if (alternatives->len == 0)
    return NULL;
  nearest = ((const Alternative *)alternatives->pdata[0])->spec;
  for (guint i = 1; i < alternatives->len; i++)
    g_string_append_printf (others, "%s“%s”", i > 1 ? ", " : "",
                            ((const Alternative *)alternatives->pdata[i])->spec);
  if (others->len == 0)
    /* Translators: an engine and its device */
    return g_strdup_printf (_ ("Run on “%s” instead, which was not tried."), nearest);
  /* Translators: an engine and its device, and others in quotes, separated by commas */
  return g_strdup_printf (_ ("Run on “%s” instead. Not tried either: %s."), nearest, others->str);
}

char *
dyno_compatibility_find_nearest (const DynoDemand *demand, GPtrArray *tried)
{
  g_autoptr (GPtrArray) alternatives = list_alternatives (demand, tried);

  return alternatives->len > 0 ? g_strdup (((const Alternative *)alternatives->pdata[0])->spec) : NULL;
}
