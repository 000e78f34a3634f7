/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-fake-remote-session.h"
#include "dyno-fake-script.h"
#include "dyno-fake-session.h"

#define SCRIPT_VARIABLE "DYNO_FAKE_BACKEND"

/* It answers at once, unless the script says that it hangs. */
#define PROBE_SECONDS 5

/* Not an engine: plays the script that the environment variable `DYNO_FAKE_BACKEND` names, for screenshots and for
 * tests of failures. Without that variable it does not exist. */
G_DECLARE_FINAL_TYPE (DynoFakeBackend, dyno_fake_backend, DYNO, FAKE_BACKEND, DynoBackend)

struct _DynoFakeBackend
{
  DynoBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoFakeBackend, dyno_fake_backend, DYNO_TYPE_BACKEND)

static const char *const switch_values[] = { "off", "on", NULL };

static const DynoBackendOption fake_options[] = {
  { "haste", N_ ("Whether a step takes half as long"), switch_values },
  { "repeats", N_ ("How many times as long a step takes"), NULL },
  { NULL },
};

/* The script is its engine, so no other backend has to be asked again for another script. */
static const DynoEnginePath fake_paths[] = {
  { "fake", SCRIPT_VARIABLE },
  { NULL },
};

static gboolean
dyno_fake_backend_is_present (DynoBackend *backend)
{
  const char *path = g_getenv (SCRIPT_VARIABLE);

  return path != NULL && g_access (path, R_OK) == 0;
}

/* The script may have changed since it was last played. */
static char *
dyno_fake_backend_fingerprint (DynoBackend *backend)
{
  const char *path = g_getenv (SCRIPT_VARIABLE);
  g_autofree char *text = NULL;

  if (path == NULL || !g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return g_steal_pointer (&text);
}

static char *
dyno_fake_backend_check_model (DynoBackend *backend, const DynoModelNeeds *needs)
{
  g_autoptr (DynoFakeScript) script = dyno_fake_script_load (g_getenv (SCRIPT_VARIABLE), NULL);

  for (char **name = script != NULL ? script->lacks : NULL; name != NULL && *name != NULL; name++)
    if (needs->operators != NULL && g_strv_contains (needs->operators, *name))
      return g_strdup_printf (_ ("The script cannot run the operator “%s”."), *name);
  return NULL;
}

static void
add_device (DynoProbe *probe, const DynoFakeDevice *scripted)
{
  DynoDevice *device = dyno_device_new (scripted->id, scripted->name, scripted->driver, scripted->memory,
                                        (const char *const *)scripted->precisions);

  dyno_device_set_kind (device, scripted->kind);
  dyno_device_set_address (device, scripted->address);
  if (scripted->missing == NULL)
    {
      dyno_probe_take_device (probe, device);
      return;
    }
  dyno_device_set_missing (device, scripted->missing, scripted->remedy);
  dyno_probe_take_missing_device (probe, device);
}

static DynoProbe *
dyno_fake_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoFakeScript) script = dyno_fake_script_load (g_getenv (SCRIPT_VARIABLE), &error);
  DynoProbe *probe;

  if (script == NULL)
    return dyno_probe_new_unsupported (error->message,
                                       _ ("Correct the script; tests/backends/fake/README.md says how."));

  dyno_fake_script_play_probe (script);
  if (script->unsupported != NULL)
    return dyno_probe_new_unsupported (script->unsupported, script->remedy);
  probe = dyno_probe_new_available (script->runtime);
  if (script->probe == DYNO_FAKE_PROBE_HESITATES)
    dyno_probe_set_provisional (probe);
  for (guint i = 0; i < script->devices->len; i++)
    add_device (probe, script->devices->pdata[i]);
  return probe;
}

static DynoSession *
dyno_fake_backend_open (DynoBackend *backend,
                        const char *onnx_path,
                        const DynoSessionOptions *options,
                        GError **error)
{
  DynoFakeScript *script = dyno_fake_script_load (g_getenv (SCRIPT_VARIABLE), error);
  DynoSession *session = script != NULL ? dyno_fake_session_new (script, options, error) : NULL;

  if (session == NULL || script->remote == NULL)
    return session;
  return dyno_fake_remote_session_new (script->remote, session, error);
}

static void
dyno_fake_backend_class_init (DynoFakeBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "fake";
  backend_class->name = N_ ("Fake");
  backend_class->description = N_ ("No engine: plays a script, for demonstrations and tests.");
  dyno_backend_class_add_options (backend_class, fake_options);
  dyno_backend_class_take_library (backend_class, SCRIPT_VARIABLE);
  backend_class->paths = fake_paths;
  backend_class->probe_seconds = PROBE_SECONDS;
  backend_class->is_present = dyno_fake_backend_is_present;
  backend_class->probe = dyno_fake_backend_probe;
  backend_class->open = dyno_fake_backend_open;
  backend_class->check_model = dyno_fake_backend_check_model;
  backend_class->fingerprint = dyno_fake_backend_fingerprint;
}

static void
dyno_fake_backend_init (DynoFakeBackend *self)
{
}
