/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_PLAIN_TEXT_NAME:
 *
 * The maximum number of characters of a stranger's name that a message quotes.
 */
#define DYNO_PLAIN_TEXT_NAME 200

/**
 * DYNO_PLAIN_TEXT_MESSAGE:
 *
 * The maximum number of characters of an engine's message, which quotes names of the model.
 */
#define DYNO_PLAIN_TEXT_MESSAGE 1000

/* Returns the text as UTF-8; each invalid or zero byte is written as `\xff`. @bytes: the output of another
 * program, in any encoding. @length: its length in bytes. */
char *dyno_plain_text_make_valid (const char *bytes, gsize length);
/* A terminal obeys control characters, and the Unicode controls for writing direction make a text look like
 * another one. Keeps line breaks and tabs. JSON stays JSON, because it has no raw characters below U+0020.
 * Returns the text with `\x1b`, `\u202e` and the like written out. The caller owns it. */
char *dyno_plain_text_show_controls (const char *text);
/* Returns the text, or its beginning and an ellipsis. The caller owns it. */
char *dyno_plain_text_shorten (const char *text, guint max_length);
/* Returns the beginning of the text, on one line and in UTF-8, for a sentence. The caller owns it. @text may
 * be NULL. @max_length: the maximum number of characters, such as DYNO_PLAIN_TEXT_NAME. */
char *dyno_plain_text_quote (const char *text, guint max_length);
/* Returns the first few texts, and the number of the others. The caller owns it. */
char *
dyno_plain_text_join (const char *const *texts, guint n_texts, const char *separator, const char *suffix);

G_END_DECLS
