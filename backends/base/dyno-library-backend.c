/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-backends-base-private.h"
#include "dyno-engine-library.h"
#include "dyno-error.h"

typedef struct
{
  DynoEngineLibrary *library;
} DynoLibraryBackendPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoLibraryBackend, dyno_library_backend, DYNO_TYPE_BACKEND)

static DynoProbe *
dyno_library_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoLibraryBackendClass *klass = DYNO_LIBRARY_BACKEND_GET_CLASS (backend);
  g_autoptr (GError) error = NULL;
  DynoEngineLibrary *library = dyno_engine_library_get_default (klass->library_type, &error);
  g_autoptr (DynoProbe) probe = NULL;
  g_autofree char *name = NULL;

  if (library != NULL)
    {
      name = g_strdup_printf ("%s %s", DYNO_ENGINE_LIBRARY_GET_CLASS (library)->name,
                              dyno_engine_library_get_version (library));
      probe = dyno_probe_new_available (name);
    }
  if (library == NULL || !klass->add_devices (backend, library, probe, &error))
    return dyno_probe_new_unsupported (error->message, dyno_engine_library_get_remedy (klass->library_type));
  return g_steal_pointer (&probe);
}

static char *
dyno_library_backend_fingerprint (DynoBackend *backend)
{
  return dyno_engine_library_dup_state (DYNO_LIBRARY_BACKEND_GET_CLASS (backend)->library_type);
}

static gboolean
dyno_library_backend_start (DynoBackend *backend, GError **error)
{
  DynoLibraryBackendPrivate *priv =
      dyno_library_backend_get_instance_private (DYNO_LIBRARY_BACKEND (backend));
  DynoLibraryBackendClass *klass = DYNO_LIBRARY_BACKEND_GET_CLASS (backend);
  g_autoptr (GError) problem = NULL;
  DynoEngineLibrary *library;

  if (priv->library != NULL)
    return TRUE;
  library = dyno_engine_library_find (klass->library_type, error);
  if (library == NULL)
    return FALSE;
  if (klass->start_library == NULL || klass->start_library (library, &problem))
    priv->library = library;
  else
    g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message,
                 dyno_engine_library_get_remedy (klass->library_type));
  return priv->library != NULL;
}

gpointer
dyno_library_backend_get_library (DynoBackend *self, GError **error)
{
  DynoLibraryBackendPrivate *priv = dyno_library_backend_get_instance_private (DYNO_LIBRARY_BACKEND (self));

  return dyno_backend_start (self, error) ? priv->library : NULL;
}

static DynoSession *
dyno_library_backend_open (DynoBackend *backend,
                           const char *path,
                           const DynoSessionOptions *options,
                           GError **error)
{
  DynoLibraryBackendClass *klass = DYNO_LIBRARY_BACKEND_GET_CLASS (backend);
  gpointer library = dyno_library_backend_get_library (backend, error);
  DynoSessionOptions chosen = *options;
  g_autoptr (GError) problem = NULL;

  if (library == NULL)
    return NULL;
  if (chosen.device == NULL)
    chosen.device = DYNO_BACKEND_GET_CLASS (backend)->default_device;
  else if (!klass->has_device (library, chosen.device, &problem))
    {
      if (problem != NULL)
        g_propagate_error (error, g_steal_pointer (&problem));
      else
        dyno_backend_fail_without_device (backend, chosen.device, error);
      return NULL;
    }
  return klass->open_model (library, path, &chosen, error);
}

static void
dyno_library_backend_class_init (DynoLibraryBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->probe = dyno_library_backend_probe;
  backend_class->start = dyno_library_backend_start;
  backend_class->open = dyno_library_backend_open;
  backend_class->fingerprint = dyno_library_backend_fingerprint;
}

static void
dyno_library_backend_init (DynoLibraryBackend *self)
{
}

void
dyno_library_backend_class_take_library (DynoLibraryBackendClass *self,
                                         GType library_type,
                                         const DynoEnginePath *paths)
{
  self->library_type = library_type;
  DYNO_BACKEND_CLASS (self)->paths = paths;
  dyno_backend_class_take_library (DYNO_BACKEND_CLASS (self), paths->variable);
}
