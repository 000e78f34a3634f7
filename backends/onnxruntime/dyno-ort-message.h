/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_ort_message_find_operator (const char *message);
/* Returns the operator that it knows, but has not got for the types of numbers or the version that the
 * model uses, where it is about that; NULL otherwise. The caller owns it. */
char *dyno_ort_message_find_unimplemented (const char *message);

G_END_DECLS
