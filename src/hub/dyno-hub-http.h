/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoHubHttp:
 *
 * Asks a Hugging Face Hub: the endpoint and the token are those that the hub's own programs take from the environment.
 * Belongs to one thread.
 */
typedef struct _DynoHubHttp DynoHubHttp;

/**
 * DynoHubWaitFunc:
 * @seconds: how long the hub asked to wait
 * @user_data: what was passed along
 *
 * Is called before waiting.
 */
typedef void (*DynoHubWaitFunc) (guint seconds, gpointer user_data);

DynoHubHttp *dyno_hub_http_new (const char *id, DynoHubWaitFunc wait, gpointer user_data, GError **error);
void dyno_hub_http_free (DynoHubHttp *self);
GInputStream *dyno_hub_http_open (
    DynoHubHttp *self, const char *path, guint64 *offset, GCancellable *cancellable, GError **error);
GBytes *dyno_hub_http_load (DynoHubHttp *self, const char *path, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubHttp, dyno_hub_http_free)

G_END_DECLS
