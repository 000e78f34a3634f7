/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-error.h"
#include "dyno-model.h"
#include "dyno-server-private.h"

#define VARIABLE      "DYNO_SERVERS"
#define PROBE_SECONDS 2
#define OPEN_SECONDS  60

G_DECLARE_FINAL_TYPE (DynoServerBackend, dyno_server_backend, DYNO, SERVER_BACKEND, DynoBackend)

struct _DynoServerBackend
{
  DynoBackend parent_instance;

  GMutex mutex;
  GHashTable *named; /* of DynoDevice, by address */
};

G_DEFINE_FINAL_TYPE (DynoServerBackend, dyno_server_backend, DYNO_TYPE_BACKEND)

/* Models shrink larger pictures. */
#define MAX_PICTURE_SIDE 4096

static const DynoBackendOption options[] = {
  { "picture",
    N_ ("Width and height of a picture in each prompt, in pixels, for models that see; 0 for none (0)."),
    NULL, 0, MAX_PICTURE_SIDE },
  { NULL },
};

/* The default addresses of servers; tests must not find servers of the user. */
static const char *const *
list_usual_servers (void)
{
  static const char *const servers[] = { "http://127.0.0.1:11434",
                                         "http://127.0.0.1:8080",
                                         "http://127.0.0.1:1234",
                                         "http://127.0.0.1:8000",
                                         "http://127.0.0.1:13305",
                                         "http://127.0.0.1:8219",
                                         NULL };
  static const char *const none[] = { NULL };

  return g_getenv ("DYNO_NO_USUAL_SERVERS") != NULL ? none : servers;
}

static void
dyno_server_backend_finalize (GObject *object)
{
  DynoServerBackend *self = DYNO_SERVER_BACKEND (object);

  g_hash_table_unref (self->named);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (dyno_server_backend_parent_class)->finalize (object);
}

static char **
list_models (
    const char *server, gboolean is_trusted, guint seconds, const DynoServerKind **kind, GError **error)
{
  g_autoptr (DynoServerHttp) http = dyno_server_http_new (server, is_trusted, seconds);

  return dyno_server_models_list (http, kind, error);
}

static DynoDevice *
create_device (const char *server, const DynoServerKind *kind, const char *const *models)
{
  g_autofree char *name = kind != NULL
                              ? g_strdup_printf ("%s (%s)", dyno_server_kind_get_label (kind), server)
                              : g_strdup (server);
  DynoDevice *device = dyno_device_new (server, name, NULL, 0, NULL);

  dyno_device_set_kind (device, dyno_server_address_is_local (server) ? DYNO_DEVICE_KIND_SERVER
                                                                      : DYNO_DEVICE_KIND_REMOTE);
  if (models != NULL)
    dyno_device_set_models (device, models);
  return device;
}

/* A server at a default address is only reported as missing if it exists and refuses access. */
static void
take_server (DynoProbe *probe, const char *server, gboolean is_named)
{
  const DynoServerKind *kind;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) models = list_models (server, is_named, PROBE_SECONDS, &kind, &error);
  DynoDevice *device;

  if (models == NULL && !is_named && !g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED))
    return;
  device = create_device (server, models != NULL ? kind : NULL, (const char *const *)models);
  if (models != NULL)
    {
      dyno_probe_take_device (probe, device);
      return;
    }
  dyno_device_set_missing (device, error->message, NULL);
  dyno_probe_take_missing_device (probe, device);
}

static DynoProbe *
dyno_server_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoProbe *probe = dyno_probe_new_available (_ ("OpenAI’s protocol"));
  const char *named = g_getenv (VARIABLE);
  g_auto (GStrv) servers = g_strsplit (named != NULL ? named : "", ",", -1);
  const char *const *usual_servers = list_usual_servers ();

  for (char **server = servers; *server != NULL; server++)
    if (*g_strstrip (*server) != '\0')
      take_server (probe, *server, TRUE);
  for (guint i = 0; usual_servers[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *)servers, usual_servers[i]))
      take_server (probe, usual_servers[i], FALSE);
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) == 0 &&
      g_list_model_get_n_items (dyno_probe_get_missing_devices (probe)) == 0)
    {
      g_object_unref (probe);
      probe = dyno_probe_new_unsupported (
          _ ("No OpenAI-compatible server answers on this machine at the ports of Ollama, llama-server, LM "
             "Studio and vLLM."),
          _ ("Start one of them, or name another one with “server:http://127.0.0.1:PORT”."));
    }
  dyno_probe_set_provisional (probe); /* servers come and go */
  return probe;
}

/* A server need not be found: people may name its address. */
static DynoDevice *
dyno_server_backend_name_device (DynoBackend *backend, const char *id)
{
  DynoServerBackend *self = DYNO_SERVER_BACKEND (backend);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  DynoDevice *device = g_hash_table_lookup (self->named, id);

  if (!dyno_server_address_is_one (id))
    return NULL;
  if (device == NULL)
    {
      device = create_device (id, NULL, NULL);
      g_hash_table_insert (self->named, g_strdup (id), device);
    }
  return device;
}

static DynoSession *
dyno_server_backend_open (DynoBackend *backend,
                          const char *onnx_path,
                          const DynoSessionOptions *session_options,
                          GError **error)
{
  const char *model = dyno_model_get_served_name (onnx_path);
  const char *picture = dyno_session_options_get (session_options, "picture");
  guint picture_side = picture != NULL ? (guint)g_ascii_strtoull (picture, NULL, 10) : 0;
  gboolean is_named = session_options->device != NULL && *session_options->device != '\0';
  const char *const *usual_servers = list_usual_servers ();
  const char *server = is_named ? session_options->device : NULL;
  const DynoServerKind *kind;
  g_auto (GStrv) models = NULL;
  g_autofree char *known = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  for (guint i = 0; server == NULL && usual_servers[i] != NULL; i++)
    {
      g_auto (GStrv) found = list_models (usual_servers[i], FALSE, PROBE_SECONDS, &kind, NULL);

      if (found != NULL)
        server = usual_servers[i];
    }
  if (server == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                           _ ("No server answers here any more. Start it again, or name its address."));
      return NULL;
    }
  models = list_models (server, is_named, OPEN_SECONDS, &kind, error);
  if (models == NULL)
    return NULL;
  if (g_strv_contains ((const char *const *)models, model))
    return dyno_server_session_new (server, model, kind, is_named, picture_side, session_options->heard);
  known = g_strjoinv (", ", models);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The server “%s” has no model “%s”. It lists: %s."), server, model,
               *known != '\0' ? known : _ ("none"));
  return NULL;
}

static gboolean
dyno_server_backend_start (DynoBackend *backend, GError **error)
{
  return TRUE;
}

static void
dyno_server_backend_class_init (DynoServerBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_server_backend_finalize;

  backend_class->id = "server";
  backend_class->name = N_ ("Server");
  backend_class->description =
      N_ ("Models that an OpenAI-compatible server holds: Ollama, llama-server, LM Studio, vLLM.");
  dyno_backend_class_add_options (backend_class, options);
  backend_class->probe = dyno_server_backend_probe;
  backend_class->name_device = dyno_server_backend_name_device;
  backend_class->open = dyno_server_backend_open;
  backend_class->start = dyno_server_backend_start;
}

static void
dyno_server_backend_init (DynoServerBackend *self)
{
  g_mutex_init (&self->mutex);
  self->named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}
