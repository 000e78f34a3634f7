/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load.h"
#include "dyno-requests.h"

G_BEGIN_DECLS

/**
 * DynoLoadServe:
 * @client: who asks
 * @request: (inout): has its intended time; may get when it was answered, where that is not when this returns, whether it
 *   failed, and what is known of its tokens
 * @error: return location
 *
 * One request, until it is answered. Called on the client's own thread.
 *
 * Returns: whether the load can go on
 */
typedef gboolean (*DynoLoadServe) (gpointer client, DynoRequest *request, GError **error);

/**
 * DynoLoadLook:
 * @n_sent: how many requests a client has taken so far
 * @n_answered: how many were answered so far
 * @data: what came with it
 *
 * Called now and then on the thread that drives the load.
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoLoadLook) (gsize n_sent, gsize n_answered, gpointer data);

/**
 * DynoLoadDrive:
 * @shape: how requests come
 * @clients: (array length=n_clients): the clients
 * @n_clients: how many there are, at least one
 * @serve: what each does with a request
 * @requests: gets the requests; a rate and an offline load have as many as it can hold, a loop as many as there is time for
 * @arrivals: (nullable) (array): when each arrives, in ns after the beginning, of a rate
 * @look: (nullable): whether a loop goes on
 * @look_data: for @look
 *
 * What to drive.
 */
typedef struct
{
  DynoLoadShape shape;
  gpointer *clients;
  guint n_clients;
  DynoLoadServe serve;
  DynoRequests *requests;
  const gint64 *arrivals;
  DynoLoadLook look;
  gpointer look_data;
} DynoLoadDrive;

/* Puts the clients under load, each on a thread of its own that has the placement of the calling one, and
 * waits for the end. The requests of a rate are sent by one thread more, on a core that the work leaves
 * alone where there is one. Then the requests are in the order of their intended times. Returns whether
 * every request that a client took was answered. Fails with an error of the first request that failed. */
gboolean dyno_load_drive (const DynoLoadDrive *drive, GError **error);

G_END_DECLS
