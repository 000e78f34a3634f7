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
 * An answer as it arrived, in bytes that each have a time.
 */
typedef struct _DynoServerAnswer DynoServerAnswer;

/* Returns room for an answer. */
DynoServerAnswer *dyno_server_answer_new (const char *server, guint n_tokens);
void dyno_server_answer_free (DynoServerAnswer *self);
/* Only the clock is read between two arrivals; what the bytes mean is found out when all are there. @heard
 * may be NULL. */
void dyno_server_answer_receive (DynoServerAnswer *self, GInputStream *stream, atomic_uint *heard);
/* Returns whether the answer is whole; what came of it is in @served anyway. */
gboolean dyno_server_answer_read (
    DynoServerAnswer *self, DynoServerProtocol protocol, DynoServed *served, GString *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerAnswer, dyno_server_answer_free)

G_END_DECLS
