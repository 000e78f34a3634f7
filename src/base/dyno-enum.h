/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Returns the word of a value of the enumeration, as files have it; NULL for any other number. */
const char *dyno_enum_to_word (GType type, int value);
/* Returns whether @word is of the enumeration; NULL is not. @value: a variable of that enumeration, which
 * stays as it is if not. */
gboolean dyno_enum_from_word (GType type, const char *word, gpointer value);

G_END_DECLS
