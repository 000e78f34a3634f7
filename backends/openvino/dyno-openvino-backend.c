/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-openvino-private.h"

/* The devices of OpenVINO: the processor, Intel's graphics and neural processors, and AUTO, which chooses. */
G_DECLARE_FINAL_TYPE (DynoOpenvinoBackend, dyno_openvino_backend, DYNO, OPENVINO_BACKEND, DynoBackend)

struct _DynoOpenvinoBackend
{
  DynoBackend parent_instance;

  DynoOvLibrary *library;
};

G_DEFINE_FINAL_TYPE (DynoOpenvinoBackend, dyno_openvino_backend, DYNO_TYPE_BACKEND)

static DynoProbe *
dyno_openvino_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  DynoOvLibrary *library = dyno_engine_library_get_default (DYNO_TYPE_OV_LIBRARY, &error);
  g_autofree char *name = NULL;
  g_autoptr (DynoProbe) probe = NULL;

  if (library == NULL)
    return dyno_probe_new_unsupported (error->message, dyno_ov_library_get_remedy ());
  name = g_strdup_printf ("OpenVINO %s", dyno_ov_library_get_version (library));
  probe = dyno_probe_new_available (name);
  if (!dyno_ov_devices_add (library, backend, probe, &error))
    return dyno_probe_new_unsupported (error->message, dyno_ov_library_get_remedy ());
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) == 0)
    return dyno_probe_new_unsupported (_ ("OpenVINO found no device it has a plug-in for."),
                                       dyno_ov_library_get_remedy ());
  return g_steal_pointer (&probe);
}

static char *
dyno_openvino_backend_fingerprint (DynoBackend *backend)
{
  return dyno_engine_library_dup_state (DYNO_TYPE_OV_LIBRARY);
}

static gboolean
dyno_openvino_backend_start (DynoBackend *backend, GError **error)
{
  DynoOpenvinoBackend *self = DYNO_OPENVINO_BACKEND (backend);
  g_autoptr (GError) problem = NULL;
  DynoOvLibrary *library = dyno_engine_library_get_default (DYNO_TYPE_OV_LIBRARY, &problem);

  if (library == NULL || dyno_ov_library_get_core (library, &problem) == NULL)
    {
      g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message,
                   dyno_ov_library_get_remedy ());
      return FALSE;
    }
  self->library = library;
  return TRUE;
}

static DynoSession *
dyno_openvino_backend_open (DynoBackend *backend,
                            const char *onnx_path,
                            const DynoSessionOptions *options,
                            GError **error)
{
  DynoOpenvinoBackend *self = DYNO_OPENVINO_BACKEND (backend);
  g_auto (GStrv) devices = NULL;

  if (self->library == NULL && !dyno_openvino_backend_start (backend, error))
    return NULL;
  if (!dyno_backend_check_precision (backend, options->precision, error))
    return NULL;
  if (options->device != NULL && !dyno_ov_devices_list (self->library, &devices, error))
    return NULL;
  if (devices != NULL && !g_strv_contains ((const char *const *)devices, options->device))
    {
      dyno_backend_fail_without_device (backend, options->device, error);
      return NULL;
    }
  return dyno_ov_session_new (self->library, onnx_path, options, error);
}

static const DynoEnginePath paths[] = {
  { "openvino", "DYNO_OPENVINO", N_ ("OpenVINO Library") },
  { NULL },
};

static void
dyno_openvino_backend_class_init (DynoOpenvinoBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "openvino";
  backend_class->paths = paths;
  backend_class->name = N_ ("OpenVINO");
  backend_class->description = N_ ("Intel CPUs, GPUs and NPUs, through OpenVINO.");
  dyno_backend_class_add_options (backend_class, dyno_ov_config_get_options ());
  dyno_backend_class_take_library (backend_class, "DYNO_OPENVINO");
  backend_class->default_device = DYNO_OV_DEFAULT_DEVICE;
  backend_class->probe = dyno_openvino_backend_probe;
  backend_class->start = dyno_openvino_backend_start;
  backend_class->open = dyno_openvino_backend_open;
  backend_class->fingerprint = dyno_openvino_backend_fingerprint;
}

static void
dyno_openvino_backend_init (DynoOpenvinoBackend *self)
{
}
