/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backends-base-private.h"
#include "dyno-litert-private.h"

#define DEVICE "cpu"

/* TensorFlow Lite files on LiteRT, in this process. */
G_DECLARE_FINAL_TYPE (DynoLitertBackend, dyno_litert_backend, DYNO, LITERT_BACKEND, DynoBackend)

struct _DynoLitertBackend
{
  DynoBackend parent_instance;

  DynoLitertLibrary *library;
};

G_DEFINE_FINAL_TYPE (DynoLitertBackend, dyno_litert_backend, DYNO_TYPE_BACKEND)

static DynoProbe *
dyno_litert_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  DynoEngineLibrary *library = dyno_engine_library_get_default (DYNO_TYPE_LITERT_LIBRARY, &error);
  g_autofree char *name = NULL;
  DynoProbe *probe;

  if (library == NULL)
    return dyno_probe_new_unsupported (error->message, dyno_litert_library_get_remedy ());
  name = g_strdup_printf ("LiteRT %s", dyno_engine_library_get_version (library));
  probe = dyno_probe_new_available (name);
  dyno_probe_take_device (probe, dyno_device_new_processor (DEVICE, NULL));
  return probe;
}

static char *
dyno_litert_backend_fingerprint (DynoBackend *backend)
{
  return dyno_engine_library_dup_state (DYNO_TYPE_LITERT_LIBRARY);
}

static gboolean
dyno_litert_backend_start (DynoBackend *backend, GError **error)
{
  DynoLitertBackend *self = DYNO_LITERT_BACKEND (backend);

  if (self->library == NULL)
    self->library = dyno_litert_library_find (error);
  return self->library != NULL;
}

static const DynoEnginePath paths[] = {
  { "litert", "DYNO_LITERT", N_ ("LiteRT Library") },
  { NULL },
};

static DynoSession *
dyno_litert_backend_open (DynoBackend *backend,
                          const char *path,
                          const DynoSessionOptions *options,
                          GError **error)
{
  DynoLitertBackend *self = DYNO_LITERT_BACKEND (backend);

  if (!dyno_litert_backend_start (backend, error))
    return NULL;
  if (options->device != NULL && !g_str_equal (options->device, DEVICE))
    {
      dyno_backend_fail_without_device (backend, options->device, error);
      return NULL;
    }
  return dyno_litert_session_new (self->library, path, options, error);
}

static void
dyno_litert_backend_class_init (DynoLitertBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "litert";
  backend_class->paths = paths;
  backend_class->name = N_ ("LiteRT");
  backend_class->description = N_ ("TensorFlow Lite files on the CPU, through LiteRT.");
  backend_class->format = DYNO_MODEL_FORMAT_TFLITE;
  dyno_backend_class_add_options (backend_class, dyno_litert_session_get_options ());
  dyno_backend_class_take_library (backend_class, "DYNO_LITERT");
  backend_class->default_device = DEVICE;
  backend_class->probe = dyno_litert_backend_probe;
  backend_class->start = dyno_litert_backend_start;
  backend_class->open = dyno_litert_backend_open;
  backend_class->fingerprint = dyno_litert_backend_fingerprint;

  dyno_model_description_set_tflite_reader (dyno_litert_file_describe);
}

static void
dyno_litert_backend_init (DynoLitertBackend *self)
{
}
