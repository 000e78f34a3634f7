/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/**
 * DynoLoadClients:
 *
 * Those who send requests: each with inputs and a session of its own, or a lane of one that they share.
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
/* Returns whether there are at least so many. @share: whether they share that session, instead of opening
 * the model for themselves. Fails with DYNO_ERROR_UNSUPPORTED where there cannot be so many. */
gboolean
dyno_load_clients_open (DynoLoadClients *self, DynoSession *session, guint n, gboolean share, GError **error);
guint dyno_load_clients_count (DynoLoadClients *self);
/* Returns each of them, for dyno_load_clients_serve(). */
gpointer *dyno_load_clients_get_all (DynoLoadClients *self);
/* One request of it: a step, the generation of some tokens, or a question to a server. Returns whether the
 * load can go on. @request: as of [callback@Dyno.LoadServe]. */
gboolean dyno_load_clients_serve (gpointer client, DynoRequest *request, GError **error);
/* Returns what all of them noted of their requests to a server since this was called last, those of each
 * client together; NULL where there is no server. Elements are DynoServed. */
GPtrArray *dyno_load_clients_take_served (DynoLoadClients *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoLoadClients, dyno_load_clients_free)

G_END_DECLS
