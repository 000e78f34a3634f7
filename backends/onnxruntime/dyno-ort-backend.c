/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-ort-backend.h"
#include "dyno-precision.h"
#include "dyno-system.h"

typedef struct
{
  DynoOrtRuntime *runtime;
  GMutex mutex;
  GPtrArray *devices;
} DynoOrtBackendPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoOrtBackend, dyno_ort_backend, DYNO_TYPE_BACKEND)

/* More than the branches of any graph. */
#define MAX_INTER_OP_THREADS 256

static const char *const shapes[] = { "free", "fixed", NULL };

static const DynoBackendOption shared_options[] = {
  { "graph-optimisation", N_ ("How far ONNX Runtime rewrites the graph before it runs."),
    dyno_backend_optimisations },
  { "shapes", N_ ("Whether the sizes of a case are told to the engine beforehand, or left free."), shapes },
  { "inter-op-threads",
    N_ ("Operators that run side by side, each with the threads of the case; with 1, one after another (1)."),
    NULL, 1, MAX_INTER_OP_THREADS },
  { NULL },
};

#ifdef HAVE_ONNXRUNTIME
static gboolean
has_plugin (DynoOrtBackend *self)
{
  const char *name = DYNO_ORT_BACKEND_GET_CLASS (self)->plugin;
  g_autofree char *path = name != NULL ? dyno_ort_plugins_dup_path (name) : NULL;

  return path != NULL;
}
#else
static gboolean
has_plugin (DynoOrtBackend *self)
{
  return FALSE;
}
#endif

static DynoOrtRuntime *
dyno_ort_backend_real_find_runtime (DynoOrtBackend *self, const char *device, GError **error)
{
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  g_autoptr (GError) problem = NULL;
  DynoOrtRuntime *runtime = dyno_ort_library_get_for (klass->provider, &problem);

  if (runtime == NULL && has_plugin (self))
    return dyno_ort_library_get_for (DYNO_ORT_PROVIDER_CPU, error);
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return runtime;
}

static gboolean
dyno_ort_backend_real_configure (DynoOrtBackend *self,
                                 DynoOrtRuntime *runtime,
                                 const DynoSessionOptions *options,
                                 DynoOrtTarget *target,
                                 GError **error)
{
  return TRUE;
}

static gboolean
dyno_ort_backend_real_has_device (DynoOrtBackend *self, const char *id)
{
  g_autoptr (DynoDevice) device = dyno_ort_backend_find_device (self, id, NULL, NULL);

  return device != NULL;
}

static DynoProbe *
new_not_started (DynoOrtBackend *self, const GError *error)
{
  const char *remedy = DYNO_ORT_BACKEND_GET_CLASS (self)->start_remedy;

  return dyno_probe_new_unsupported (error->message, remedy != NULL ? _ (remedy) : NULL);
}

/* If a process can use only one device, the trial of the first counts for all. */
static DynoProbe *
dyno_ort_backend_real_probe_devices (DynoOrtBackend *self, DynoOrtRuntime *runtime)
{
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  g_autoptr (DynoProbe) probe = dyno_ort_backend_new_probe (self, runtime);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = klass->list_devices (self, &error);

  if (devices == NULL || (klass->one_device && !dyno_ort_backend_try (self, runtime, NULL, &error)))
    return new_not_started (self, error);
  for (guint i = 0; i < devices->len; i++)
    if (!klass->one_device)
      dyno_ort_backend_add_device (self, runtime, devices->pdata[i], probe, error == NULL ? &error : NULL);
    else if (i == 0)
      dyno_probe_take_device (probe, dyno_ort_precisions_describe (DYNO_BACKEND (self), devices->pdata[i]));
    else
      dyno_probe_take_device (probe, g_object_ref (devices->pdata[i]));
  return g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0 ? g_steal_pointer (&probe)
                                                                       : new_not_started (self, error);
}

/* Returns whether there are devices, as far as that is known without a runtime. */
static gboolean
has_devices (DynoOrtBackend *self, GError **error)
{
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  g_autoptr (GPtrArray) devices = NULL;

  if (klass->list_devices == NULL)
    return TRUE;
  devices = klass->list_devices (self, error);
  return devices != NULL;
}

static const char *
get_driver_remedy (DynoOrtBackend *self)
{
  const char *remedy = DYNO_ORT_BACKEND_GET_CLASS (self)->driver_remedy;

  return remedy != NULL ? _ (remedy) : NULL;
}

/* If there is a runtime, the remedy is another one with the provider. */
static const char *
get_remedy (DynoOrtBackend *self, const GError *error)
{
  const char *remedy = DYNO_ORT_BACKEND_GET_CLASS (self)->remedy;

  return remedy != NULL && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED)
             ? _ (remedy)
             : dyno_ort_library_get_remedy ();
}

/* Without a device, the runtimes do not matter. */
static DynoProbe *
dyno_ort_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  g_autoptr (GError) error = NULL;
  DynoOrtRuntime *runtime;

  if (!has_devices (self, &error))
    return dyno_probe_new_unsupported (error->message, get_driver_remedy (self));
  runtime = klass->find_runtime (self, NULL, &error);
  if (runtime == NULL)
    return dyno_probe_new_unsupported (error->message, get_remedy (self, error));
  return klass->probe_devices (self, runtime);
}

static DynoOrtRuntime *
start_runtime (DynoOrtBackend *self, const char *device, GError **error)
{
  g_autoptr (GError) problem = NULL;
  DynoOrtRuntime *runtime = DYNO_ORT_BACKEND_GET_CLASS (self)->find_runtime (self, device, &problem);

  if (runtime != NULL && dyno_ort_runtime_get_env (runtime, &problem) != NULL)
    return runtime;
  if (g_error_matches (problem, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY))
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message, get_remedy (self, problem));
  return NULL;
}

/* The first call of a driver is not part of loading a model. */
static gboolean
dyno_ort_backend_start (DynoBackend *backend, GError **error)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);
  g_autoptr (GError) problem = NULL;
  const char *remedy = get_driver_remedy (self);

  if (!has_devices (self, &problem))
    {
      if (remedy != NULL)
        g_set_error (error, problem->domain, problem->code, "%s %s", problem->message, remedy);
      else
        g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  priv->runtime = start_runtime (self, NULL, error);
  return priv->runtime != NULL;
}

#ifdef HAVE_ONNXRUNTIME
/* Takes the provider of the runtime, or the first device of the plug-in that has it. */
static gboolean
begin_target (DynoOrtBackend *self, DynoOrtRuntime *runtime, DynoOrtTarget *target, GError **error)
{
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  g_autoptr (GPtrArray) plugins = NULL;
  const DynoOrtPlugin *plugin;

  dyno_ort_target_init (target, klass->provider);
  if (klass->plugin == NULL || g_strv_contains (dyno_ort_runtime_get_providers (runtime), klass->provider))
    return TRUE;
  target->plugin_path = dyno_ort_plugins_dup_path (klass->plugin);
  plugins = target->plugin_path != NULL ? dyno_ort_plugins_open (runtime, target->plugin_path, error) : NULL;
  if (plugins == NULL)
    return target->plugin_path == NULL;
  plugin = plugins->pdata[0];
  target->provider = g_intern_string (plugin->provider);
  target->plugin = plugin->device;
  return TRUE;
}

#else
static DynoSession *
open_session (DynoOrtBackend *self,
              DynoOrtRuntime *runtime,
              const char *onnx_path,
              const DynoSessionOptions *options,
              GError **error)
{
  g_return_val_if_reached (NULL);
}

static gboolean
try_target (DynoOrtBackend *self, DynoOrtRuntime *runtime, const DynoSessionOptions *options, GError **error)
{
  g_return_val_if_reached (FALSE);
}
#endif

static DynoSession *
dyno_ort_backend_open (DynoBackend *backend,
                       const char *onnx_path,
                       const DynoSessionOptions *options,
                       GError **error)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);
  gboolean any_device = DYNO_ORT_BACKEND_GET_CLASS (self)->find_runtime == dyno_ort_backend_real_find_runtime;
  DynoOrtRuntime *runtime = any_device ? priv->runtime : NULL;
  const char *stored = options->precision != NULL ? dyno_precision_get_stored (options->precision) : NULL;
  GHashTableIter iter;
  gpointer name, value;

  if (!dyno_backend_check_precision (backend, stored, error))
    return NULL;
  if (options->device != NULL && !DYNO_ORT_BACKEND_GET_CLASS (self)->has_device (self, options->device))
    {
      dyno_backend_fail_without_device (backend, options->device, error);
      return NULL;
    }
  if (options->engine != NULL)
    g_hash_table_iter_init (&iter, options->engine);
  while (options->engine != NULL && g_hash_table_iter_next (&iter, &name, &value))
    if (!dyno_backend_check_option (backend, name, value, error))
      return NULL;
  if (runtime == NULL)
    runtime = start_runtime (self, options->device, error);
  if (runtime == NULL)
    return NULL;

  g_auto (DynoOrtTarget) target = { NULL };
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  if (!begin_target (self, runtime, &target, error) ||
      !klass->configure (self, runtime, options, &target, error))
    return NULL;
  return dyno_ort_session_new (runtime, onnx_path, &target, options, error);
}

char *
dyno_ort_backend_fingerprint_plugins (DynoBackend *backend)
{
  g_autofree char *folder = dyno_ort_library_dup_plugin_folder ();

  return dyno_system_dup_state (folder);
}

static void
dyno_ort_backend_finalize (GObject *object)
{
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (DYNO_ORT_BACKEND (object));

  g_clear_pointer (&priv->devices, g_ptr_array_unref);
  g_mutex_clear (&priv->mutex);

  G_OBJECT_CLASS (dyno_ort_backend_parent_class)->finalize (object);
}

static void
dyno_ort_backend_class_init (DynoOrtBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_ort_backend_finalize;
  backend_class->probe = dyno_ort_backend_probe;
  backend_class->start = dyno_ort_backend_start;
  backend_class->open = dyno_ort_backend_open;
  dyno_backend_class_add_options (backend_class, shared_options);
  dyno_backend_class_take_library (backend_class, DYNO_ORT_VARIABLE);
  klass->find_runtime = dyno_ort_backend_real_find_runtime;
  klass->probe_devices = dyno_ort_backend_real_probe_devices;
  klass->has_device = dyno_ort_backend_real_has_device;
  klass->configure = dyno_ort_backend_real_configure;
}

static void
dyno_ort_backend_init (DynoOrtBackend *self)
{
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);

  g_mutex_init (&priv->mutex);
}

DynoProbe *
dyno_ort_backend_new_probe (DynoOrtBackend *self, DynoOrtRuntime *runtime)
{
  g_autofree char *name = g_strdup_printf ("ONNX Runtime %s", dyno_ort_runtime_get_version (runtime));

  g_return_val_if_fail (DYNO_IS_ORT_BACKEND (self), NULL);

  return dyno_probe_new_available (name);
}

gboolean
dyno_ort_backend_try (DynoOrtBackend *self, DynoOrtRuntime *runtime, const char *device, GError **error)
{
  DynoSessionOptions options = { .device = device };

  g_return_val_if_fail (DYNO_IS_ORT_BACKEND (self), FALSE);
  g_return_val_if_fail (DYNO_IS_ORT_RUNTIME (runtime), FALSE);

  g_auto (DynoOrtTarget) target = { NULL };
  DynoOrtBackendClass *klass = DYNO_ORT_BACKEND_GET_CLASS (self);
  return begin_target (self, runtime, &target, error) &&
         klass->configure (self, runtime, &options, &target, error) &&
         dyno_ort_provider_try (runtime, &target, error);
}

gboolean
dyno_ort_backend_add_device (
    DynoOrtBackend *self, DynoOrtRuntime *runtime, DynoDevice *device, DynoProbe *probe, GError **error)
{
  if (!dyno_ort_backend_try (self, runtime, dyno_device_get_id (device), error))
    return FALSE;
  dyno_probe_take_device (probe, dyno_ort_precisions_describe (DYNO_BACKEND (self), device));
  return TRUE;
}

DynoDevice *
dyno_ort_backend_find_device (DynoOrtBackend *self, const char *id, guint *position, GError **error)
{
  g_autoptr (GPtrArray) devices = NULL;

  g_return_val_if_fail (DYNO_IS_ORT_BACKEND (self), NULL);

  devices = DYNO_ORT_BACKEND_GET_CLASS (self)->list_devices (self, error);
  if (devices == NULL)
    return NULL;
  for (guint i = 0; i < devices->len; i++)
    if (id == NULL || g_str_equal (dyno_device_get_id (devices->pdata[i]), id))
      {
        if (position != NULL)
          *position = i;
        return g_object_ref (devices->pdata[i]);
      }
  dyno_backend_fail_without_device (DYNO_BACKEND (self), id, error);
  return NULL;
}

void
dyno_ort_backend_keep_devices (DynoOrtBackend *self, GPtrArray *devices)
{
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->mutex);

  g_clear_pointer (&priv->devices, g_ptr_array_unref);
  priv->devices = g_ptr_array_ref (devices);
}

GPtrArray *
dyno_ort_backend_dup_kept_devices (DynoOrtBackend *self)
{
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->mutex);

  return priv->devices != NULL ? g_ptr_array_ref (priv->devices) : NULL;
}
