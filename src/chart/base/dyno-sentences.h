/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Texts of several whole sentences, such as a caption. */

/* Appends a sentence after a space, or without one at the beginning of a line. @sentence (nullable): may be
 * empty. */
void dyno_sentences_append (GString *text, const char *sentence);
/* Returns both sentences, with a space between them. The caller owns it. @second (nullable): may be empty. */
char *dyno_sentences_join (const char *first, const char *second);

G_END_DECLS
