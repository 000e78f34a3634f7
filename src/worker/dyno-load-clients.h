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

DynoLoadClients *dyno_load_clients_new (DynoCase *kase,
                                        DynoModel *model,
                                        DynoBackend *backend,
                                        const char *onnx_path,
                                        const DynoSessionOptions *options);
void dyno_load_clients_free (DynoLoadClients *self);
gboolean
dyno_load_clients_open (DynoLoadClients *self, DynoSession *session, guint n, gboolean share, GError **error);
guint dyno_load_clients_count (DynoLoadClients *self);
gpointer *dyno_load_clients_get_all (DynoLoadClients *self);
gboolean dyno_load_clients_serve (gpointer client, DynoRequest *request, GError **error);
GPtrArray *dyno_load_clients_take_served (DynoLoadClients *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoLoadClients, dyno_load_clients_free)

G_END_DECLS
