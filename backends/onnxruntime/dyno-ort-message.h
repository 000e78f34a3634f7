/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the missing operator, if the message is about one; NULL otherwise. The caller owns it. */
char *dyno_ort_message_find_operator (const char *message);
/* Returns the operator that it knows, but does not support for the model's number types or operator version; NULL if
 * the message is about something else. The caller owns it. */
char *dyno_ort_message_find_unimplemented (const char *message);

G_END_DECLS
