/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-fake-backend.h"
#include "dyno-fake-script.h"
#include "dyno-fake-session.h"

#define SCRIPT_VARIABLE "DYNO_FAKE_BACKEND"

struct _DynoFakeBackend
{
  DynoBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoFakeBackend, dyno_fake_backend, DYNO_TYPE_BACKEND)

static gboolean
dyno_fake_backend_is_present (DynoBackend *backend)
{
  const char *path = g_getenv (SCRIPT_VARIABLE);

  return path != NULL && g_access (path, R_OK) == 0;
}

static DynoProbe *
dyno_fake_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoFakeScript) script = dyno_fake_script_load (g_getenv (SCRIPT_VARIABLE), &error);
  DynoProbe *probe;

  if (script == NULL)
    return dyno_probe_new_unsupported (error->message,
                                       _ ("Mend the script as backends/fake/README.md tells."));

  probe = dyno_probe_new_available (script->runtime);
  for (guint i = 0; i < script->devices->len; i++)
    {
      const DynoFakeDevice *device = script->devices->pdata[i];

      dyno_probe_take_device (probe,
                              dyno_device_new (device->id, device->name, device->driver, device->memory,
                                               (const char *const *)device->precisions));
    }
  return probe;
}

static DynoSession *
dyno_fake_backend_open (DynoBackend *backend,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        GError **error)
{
  DynoFakeScript *script = dyno_fake_script_load (g_getenv (SCRIPT_VARIABLE), error);

  return script != NULL ? dyno_fake_session_new (script, options, error) : NULL;
}

static void
dyno_fake_backend_class_init (DynoFakeBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "fake";
  backend_class->name = N_ ("Fake");
  backend_class->description = N_ ("No engine: plays a script, for demonstrations and tests.");
  backend_class->is_present = dyno_fake_backend_is_present;
  backend_class->probe = dyno_fake_backend_probe;
  backend_class->open = dyno_fake_backend_open;
}

static void
dyno_fake_backend_init (DynoFakeBackend *self)
{
}
