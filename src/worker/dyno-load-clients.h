/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/**
 * DynoLoadClients:
 *
 * The clients that send requests: each with its own inputs and session, or with a lane of a shared session.
 */
typedef struct _DynoLoadClients DynoLoadClients;

/* Returns no clients yet. @onnx_path: the model's file; must outlive the clients. @options: how to open
 * it; must outlive the clients. */
DynoLoadClients *dyno_load_clients_new (DynoCase *kase,
                                        DynoModel *model,
                                        DynoBackend *backend,
                                        const char *onnx_path,
                                        const DynoSessionOptions *options);
void dyno_load_clients_free (DynoLoadClients *self);
/* Returns whether there are at least that many clients. @share: whether they share that session, instead of
 * each opening the model. Fails with DYNO_ERROR_UNSUPPORTED if that many are impossible. */
gboolean
dyno_load_clients_open (DynoLoadClients *self, DynoSession *session, guint n, gboolean share, GError **error);
guint dyno_load_clients_count (DynoLoadClients *self);
/* Returns all clients, for dyno_load_clients_serve(). */
gpointer *dyno_load_clients_get_all (DynoLoadClients *self);
/* Serves one request of the client: a step, the generation of some tokens, or a question to a server.
 * Returns whether the load can go on. @request: as in [callback@Dyno.LoadServe]. */
gboolean dyno_load_clients_serve (gpointer client, DynoRequest *request, GError **error);
/* Returns the records that all clients made of their requests to a server since the last call, grouped by
 * client; NULL without a server. Elements are DynoServed. */
GPtrArray *dyno_load_clients_take_served (DynoLoadClients *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoLoadClients, dyno_load_clients_free)

G_END_DECLS
