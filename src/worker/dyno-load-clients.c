/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-worker-private.h"

typedef struct
{
  DynoSession *session;
  DynoWorkload *workload;
  DynoSamples *last; /* only the current step */
} Client;

struct _DynoLoadClients
{
  DynoCase *kase;
  DynoModel *model;
  DynoBackend *backend;
  const char *onnx_path;
  const DynoSessionOptions *options;
  GPtrArray *all;
};

static void
client_free (gpointer data)
{
  Client *client = data;

  g_clear_object (&client->workload);
  g_clear_object (&client->session);
  g_clear_pointer (&client->last, dyno_samples_free);
  g_free (client);
}

DynoLoadClients *
dyno_load_clients_new (DynoCase *kase,
                       DynoModel *model,
                       DynoBackend *backend,
                       const char *onnx_path,
                       const DynoSessionOptions *options)
{
  DynoLoadClients *self = g_new0 (DynoLoadClients, 1);

  self->kase = g_object_ref (kase);
  self->model = g_object_ref (model);
  self->backend = backend;
  self->onnx_path = onnx_path;
  self->options = options;
  self->all = g_ptr_array_new_with_free_func (client_free);
  return self;
}

void
dyno_load_clients_free (DynoLoadClients *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->all);
  g_object_unref (self->model);
  g_object_unref (self->kase);
  g_free (self);
}

static gboolean
open_client (DynoLoadClients *self, Client *client, DynoSession *session, gboolean share, GError **error)
{
  if (self->all->len == 0)
    client->session = g_object_ref (session);
  else
    client->session = share ? dyno_session_open_lane (session, error)
                            : dyno_backend_open (self->backend, self->onnx_path, self->options, error);
  if (client->session == NULL)
    return FALSE;
  client->workload = dyno_workload_new (self->kase, self->model, error);
  return client->workload != NULL && dyno_workload_prepare (client->workload, client->session, error);
}

gboolean
dyno_load_clients_open (DynoLoadClients *self, DynoSession *session, guint n, gboolean share, GError **error)
{
  /* Refuses an engine behind a network, which would be measured along with it. */
  if (dyno_session_has_own_clock (session))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("The engine runs in another process and times its steps itself, one at a time, "
                              "so nothing can be measured under load. Measure one request at a time."));
      return FALSE;
    }

  while (self->all->len < n)
    {
      Client *client = g_new0 (Client, 1);
      gboolean is_open = open_client (self, client, session, share, error);

      client->last = dyno_samples_new (1);
      if (!is_open)
        {
          client_free (client);
          return FALSE;
        }
      g_ptr_array_add (self->all, client);
    }
  return TRUE;
}

guint
dyno_load_clients_count (DynoLoadClients *self)
{
  return self->all->len;
}

gpointer *
dyno_load_clients_get_all (DynoLoadClients *self)
{
  return self->all->pdata;
}

gboolean
dyno_load_clients_serve (gpointer client, DynoRequest *request, GError **error)
{
  Client *self = client;

  return dyno_workload_ask (self->workload, request, self->last, error);
}

GPtrArray *
dyno_load_clients_take_served (DynoLoadClients *self)
{
  GPtrArray *all = NULL;

  for (guint i = 0; i < self->all->len; i++)
    {
      GPtrArray *some = dyno_workload_take_served (((Client *)self->all->pdata[i])->workload);

      if (all == NULL)
        all = some;
      else if (some != NULL)
        g_ptr_array_extend_and_steal (all, some);
    }
  return all;
}
