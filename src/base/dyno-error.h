/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_ERROR:
 *
 * The error domain of all of Dyno. Messages are whole sentences for people: the problem, its place, and the
 * remedy.
 */
#define DYNO_ERROR (dyno_error_quark ())

/**
 * DynoError:
 * @DYNO_ERROR_FAILED: any other error
 * @DYNO_ERROR_INVALID_ARGUMENT: the request makes no sense (usage)
 * @DYNO_ERROR_NOT_FOUND: a file, model, run or backend of that name does not exist
 * @DYNO_ERROR_INVALID_DATA: a file or message is damaged or has another format than it claims
 * @DYNO_ERROR_UNSUPPORTED: well-formed, but beyond this backend, runtime or machine
 * @DYNO_ERROR_UNREADABLE: well-formed, but no device of this backend can have it, because its runtime cannot read it
 * @DYNO_ERROR_NO_RUNTIME: the inference runtime could not be found or opened
 * @DYNO_ERROR_OUT_OF_MEMORY: the case does not fit into memory, or was killed because memory ran out
 * @DYNO_ERROR_WORKER_DIED: the measuring process ended by a signal or without a result
 * @DYNO_ERROR_TIMED_OUT: no heartbeat, or past the deadline
 * @DYNO_ERROR_WRONG_OUTPUT: the model ran, but its outputs are not usable
 * @DYNO_ERROR_FELL_BACK: the work ran on another device than the requested one
 * @DYNO_ERROR_STORE_LOCKED: another process holds the store
 * @DYNO_ERROR_STORE_READ_ONLY: the store cannot be written
 * @DYNO_ERROR_STORE_FULL: no space is left for the store
 * @DYNO_ERROR_STORE_DAMAGED: the store's file is damaged
 * @DYNO_ERROR_STORE_NEWER: the store was written by a newer Dyno
 */
typedef enum
{
  DYNO_ERROR_FAILED,
  DYNO_ERROR_INVALID_ARGUMENT,
  DYNO_ERROR_NOT_FOUND,
  DYNO_ERROR_INVALID_DATA,
  DYNO_ERROR_UNSUPPORTED,
  DYNO_ERROR_UNREADABLE,
  DYNO_ERROR_NO_RUNTIME,
  DYNO_ERROR_OUT_OF_MEMORY,
  DYNO_ERROR_WORKER_DIED,
  DYNO_ERROR_TIMED_OUT,
  DYNO_ERROR_WRONG_OUTPUT,
  DYNO_ERROR_FELL_BACK,
  DYNO_ERROR_STORE_LOCKED,
  DYNO_ERROR_STORE_READ_ONLY,
  DYNO_ERROR_STORE_FULL,
  DYNO_ERROR_STORE_DAMAGED,
  DYNO_ERROR_STORE_NEWER,
} DynoError;

GQuark dyno_error_quark (void);

/* Passes an error on if there is one. Returns whether there is none. @local_error: an error of the caller,
 * which is taken. */
gboolean dyno_error_pass (GError **local_error, GError **error);

G_END_DECLS
