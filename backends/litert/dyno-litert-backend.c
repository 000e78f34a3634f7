/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-engine-name.h"
#include "dyno-litert-private.h"

/* TensorFlow Lite files on LiteRT, in this process. */
G_DECLARE_FINAL_TYPE (DynoLitertBackend, dyno_litert_backend, DYNO, LITERT_BACKEND, DynoLibraryBackend)

struct _DynoLitertBackend
{
  DynoLibraryBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLitertBackend, dyno_litert_backend, DYNO_TYPE_LIBRARY_BACKEND)

static gboolean
dyno_litert_backend_add_devices (DynoBackend *backend, gpointer library, DynoProbe *probe, GError **error)
{
  dyno_probe_take_device (probe, dyno_device_new_processor (DYNO_LITERT_DEVICE, NULL));
  dyno_litert_accelerator_add_devices (library, probe);
  return TRUE;
}

static gboolean
dyno_litert_backend_has_device (gpointer library, const char *id, GError **error)
{
  return dyno_litert_accelerator_find (library, id, error) != NULL;
}

static DynoSession *
dyno_litert_backend_open_model (gpointer library,
                                const char *path,
                                const DynoSessionOptions *options,
                                GError **error)
{
  const LiteRtTarget *target = dyno_litert_accelerator_find (library, options->device, error);

  return target != NULL ? dyno_litert_session_new (library, target, path, options, error) : NULL;
}

static const DynoEnginePath paths[] = {
  { "litert", "DYNO_LITERT", N_ ("LiteRT Library") },
  { NULL },
};

/* A FlatBuffer has the name of its schema after the place of its root. */
static const DynoEngineFormat format = {
  .family = { DYNO_LITERT_FORMAT, N_ ("TensorFlow Lite file"), N_ ("TensorFlow Lite Files") },
  .name = "TensorFlow Lite",
  .suffix = "tflite",
  .magic_offset = 4,
  .magic = "TFL3",
  .backend = "litert",
  .answer = N_ ("that of LiteRT’s own kernels"),
  .outputs = "the outputs of LiteRT's own kernels",
  .describe = dyno_litert_file_describe,
};

static const DynoEngineName engine_name = { "litert", "LiteRT", "CPU", { { "cpu", "CPU" } } };

static void
dyno_litert_backend_class_init (DynoLitertBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoLibraryBackendClass *library_class = DYNO_LIBRARY_BACKEND_CLASS (klass);

  dyno_engine_name_add (&engine_name);
  backend_class->id = "litert";
  backend_class->name = N_ ("LiteRT");
  backend_class->description = N_ ("TensorFlow Lite files on CPUs and GPUs, through LiteRT.");
  backend_class->format = dyno_engine_format_add (&format);
  dyno_backend_class_add_options (backend_class, dyno_litert_session_get_options ());
  backend_class->default_device = DYNO_LITERT_DEVICE;
  dyno_library_backend_class_take_library (library_class, DYNO_TYPE_LITERT_LIBRARY, paths);
  library_class->add_devices = dyno_litert_backend_add_devices;
  library_class->has_device = dyno_litert_backend_has_device;
  library_class->open_model = dyno_litert_backend_open_model;
}

static void
dyno_litert_backend_init (DynoLitertBackend *self)
{
}
