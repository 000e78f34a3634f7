/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdatomic.h>

#include "dyno-served.h"
#include "dyno-server-kind.h"

G_BEGIN_DECLS

/**
 * DynoServerAnswer:
 *
 * The bytes of an answer with their times of arrival.
 */
typedef struct _DynoServerAnswer DynoServerAnswer;

/* Returns an empty answer. */
DynoServerAnswer *dyno_server_answer_new (const char *server, guint n_tokens);
void dyno_server_answer_free (DynoServerAnswer *self);
/* Only the clock is read between two arrivals; the bytes are parsed after the last one. @heard may be NULL. */
void dyno_server_answer_receive (DynoServerAnswer *self, GInputStream *stream, atomic_uint *heard);
/* Returns whether the answer is complete; @served gets its content in any case. */
gboolean dyno_server_answer_read (
    DynoServerAnswer *self, DynoServerProtocol protocol, DynoServed *served, GString *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerAnswer, dyno_server_answer_free)

G_END_DECLS
