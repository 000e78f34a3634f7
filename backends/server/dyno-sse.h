/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoSse:
 *
 * Reads server-sent events from bytes that arrive in pieces of any size: lines end with LF, CRLF or CR, events with
 * an empty line. Some servers send each event as a single line.
 */
typedef struct
{
  gboolean is_by_line;
  GString *line;
  GString *data; /* NULL-terminated text of the current event */
  gboolean has_data;
  gboolean after_return;
} DynoSse;

/**
 * DynoSseFunc:
 * @data: the text of the event, its lines joined
 * @user_data: the caller's data
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoSseFunc) (const char *data, gpointer user_data);

/* Returns an empty reader. @is_by_line: whether each line is an event, without any fields. */
DynoSse *dyno_sse_new (gboolean is_by_line);
void dyno_sse_free (DynoSse *self);
/* Returns whether to go on; FALSE also for an event that is far too long. @size: the number of bytes. */
gboolean
dyno_sse_feed (DynoSse *self, const char *bytes, gsize size, DynoSseFunc function, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSse, dyno_sse_free)

G_END_DECLS
