/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-openvino-private.h"

/* The devices of OpenVINO: the processor, Intel's graphics and neural processors, and AUTO, which chooses. */
G_DECLARE_FINAL_TYPE (DynoOpenvinoBackend, dyno_openvino_backend, DYNO, OPENVINO_BACKEND, DynoLibraryBackend)

struct _DynoOpenvinoBackend
{
  DynoLibraryBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoOpenvinoBackend, dyno_openvino_backend, DYNO_TYPE_LIBRARY_BACKEND)

static gboolean
dyno_openvino_backend_add_devices (DynoBackend *backend, gpointer library, DynoProbe *probe, GError **error)
{
  if (!dyno_ov_devices_add (library, backend, probe, error))
    return FALSE;
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return TRUE;
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                       _ ("OpenVINO found no device it has a plug-in for."));
  return FALSE;
}

static gboolean
dyno_openvino_backend_has_device (gpointer library, const char *id, GError **error)
{
  g_auto (GStrv) devices = NULL;

  return dyno_ov_devices_list (library, &devices, error) &&
         g_strv_contains ((const char *const *)devices, id);
}

static gboolean
dyno_openvino_backend_start_library (gpointer library, GError **error)
{
  return dyno_ov_library_get_core (library, error) != NULL;
}

static DynoSession *
dyno_openvino_backend_open_model (gpointer library,
                                  const char *path,
                                  const DynoSessionOptions *options,
                                  GError **error)
{
  return dyno_ov_session_new (library, path, options, error);
}

static DynoSession *
dyno_openvino_backend_open (DynoBackend *backend,
                            const char *path,
                            const DynoSessionOptions *options,
                            GError **error)
{
  return dyno_backend_check_precision (backend, options->precision, error)
             ? DYNO_BACKEND_CLASS (dyno_openvino_backend_parent_class)->open (backend, path, options, error)
             : NULL;
}

static char *
dyno_openvino_backend_check_model (DynoBackend *backend, const DynoModelNeeds *needs)
{
  if (needs->operators == NULL || !g_strv_contains (needs->operators, "com.microsoft.MatMulBnb4"))
    return NULL;
  return g_strdup (
      _ ("OpenVINO does not read products with weights in NF4 (MatMulBnb4), which only ONNX Runtime has. "
         "Choose int4-32, or ONNX Runtime."));
}

static const DynoEnginePath paths[] = {
  { "openvino", "DYNO_OPENVINO", N_ ("OpenVINO Library") },
  { NULL },
};

static void
dyno_openvino_backend_class_init (DynoOpenvinoBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoLibraryBackendClass *library_class = DYNO_LIBRARY_BACKEND_CLASS (klass);

  backend_class->id = "openvino";
  backend_class->name = N_ ("OpenVINO");
  backend_class->description = N_ ("Intel CPUs, GPUs and NPUs, through OpenVINO.");
  dyno_backend_class_add_options (backend_class, dyno_ov_config_get_options ());
  backend_class->default_device = DYNO_OV_DEFAULT_DEVICE;
  backend_class->open = dyno_openvino_backend_open;
  backend_class->check_model = dyno_openvino_backend_check_model;
  dyno_library_backend_class_take_library (library_class, DYNO_TYPE_OV_LIBRARY, paths);
  library_class->start_library = dyno_openvino_backend_start_library;
  library_class->add_devices = dyno_openvino_backend_add_devices;
  library_class->has_device = dyno_openvino_backend_has_device;
  library_class->open_model = dyno_openvino_backend_open_model;
}

static void
dyno_openvino_backend_init (DynoOpenvinoBackend *self)
{
}
