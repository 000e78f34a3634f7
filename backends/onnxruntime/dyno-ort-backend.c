/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-ort-api.h"
#include "dyno-ort-backend.h"
#include "dyno-ort-library.h"
#include "dyno-ort-session.h"

typedef struct
{
  DynoOrtRuntime *runtime;
} DynoOrtBackendPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoOrtBackend, dyno_ort_backend, DYNO_TYPE_BACKEND)

static DynoProbe *
dyno_ort_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  DynoOrtRuntime *runtime = dyno_ort_library_get_default (&error);
  DynoProbe *probe;

  if (runtime == NULL)
    return dyno_probe_new_unsupported (error->message, dyno_ort_library_get_remedy ());

  name = g_strdup_printf ("ONNX Runtime %s", dyno_ort_runtime_get_version (runtime));
  probe = dyno_probe_new_available (name);
  DYNO_ORT_BACKEND_GET_CLASS (self)->add_devices (self, probe);
  return probe;
}

static gboolean
dyno_ort_backend_start (DynoBackend *backend, GError **error)
{
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (DYNO_ORT_BACKEND (backend));
  g_autoptr (GError) problem = NULL;
  DynoOrtRuntime *runtime;

  runtime = dyno_ort_library_get_default (&problem);
  if (runtime == NULL || dyno_ort_runtime_get_env (runtime, &problem) == NULL)
    {
      g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message,
                   dyno_ort_library_get_remedy ());
      return FALSE;
    }
  priv->runtime = runtime;
  return TRUE;
}

static gboolean
check_options (DynoOrtBackend *self, const DynoSessionOptions *options, GError **error)
{
  const char *id = dyno_backend_get_id (DYNO_BACKEND (self));

  if (options->precision != NULL && !g_str_equal (options->precision, "fp32"))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The backend “%s” does not compute in “%s”; it computes in “fp32”."), id,
                   options->precision);
      return FALSE;
    }
  if (options->device != NULL && !DYNO_ORT_BACKEND_GET_CLASS (self)->has_device (self, options->device))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The backend “%s” has no device “%s”."), id,
                   options->device);
      return FALSE;
    }
  return TRUE;
}

static DynoSession *
dyno_ort_backend_open (DynoBackend *backend,
                       const char *onnx_path,
                       const DynoSessionOptions *options,
                       GError **error)
{
  DynoOrtBackend *self = DYNO_ORT_BACKEND (backend);
  DynoOrtBackendPrivate *priv = dyno_ort_backend_get_instance_private (self);

  if (!check_options (self, options, error))
    return NULL;
  if (priv->runtime == NULL && !dyno_ort_backend_start (backend, error))
    return NULL;
#ifdef HAVE_ONNXRUNTIME
  return dyno_ort_session_new (priv->runtime, onnx_path, options, error);
#else
  g_return_val_if_reached (NULL);
#endif
}

static void
dyno_ort_backend_class_init (DynoOrtBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->probe = dyno_ort_backend_probe;
  backend_class->start = dyno_ort_backend_start;
  backend_class->open = dyno_ort_backend_open;
}

static void
dyno_ort_backend_init (DynoOrtBackend *self)
{
}
