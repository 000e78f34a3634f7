/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-load.h"
#include "dyno-requests.h"

G_BEGIN_DECLS

/**
 * DynoLoadServe:
 * @client: the client that sends it
 * @request: (inout): has its intended time; may get the time of its answer if that is not the time of the
 * return, whether it failed, and data about its tokens
 * @error: return location
 *
 * Serves one request until it is answered. Called on the client's own thread.
 *
 * Returns: whether the load can go on
 */
typedef gboolean (*DynoLoadServe) (gpointer client, DynoRequest *request, GError **error);

/**
 * DynoLoadLook:
 * @n_sent: how many requests a client has taken so far
 * @n_answered: how many were answered so far
 * @data: the caller's data
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
 * @n_clients: the number of clients, at least one
 * @serve: serves a request of a client
 * @requests: gets the requests; a rate and an offline load fill its capacity, a loop sends as many as there
 * is time for
 * @arrivals: (nullable) (array): for a rate: when each arrives, in ns after the beginning
 * @look: (nullable): tells whether a loop goes on
 * @look_data: for @look
 *
 * A load to drive.
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

/* Puts the clients under load, each on a thread of its own with the placement of the calling one, and waits
 * for the end. One more thread sends the requests of a rate, on a core without work if there is one.
 * Afterwards the requests are in the order of their intended times. Returns whether every request that a
 * client took was answered. Fails with an error of the first request that failed. */
gboolean dyno_load_drive (const DynoLoadDrive *drive, GError **error);

G_END_DECLS
