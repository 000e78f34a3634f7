/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DYNO_PLAIN_TEXT_NAME:
 *
 * The most characters of a stranger's name that a message quotes.
 */
#define DYNO_PLAIN_TEXT_NAME 200

/**
 * DYNO_PLAIN_TEXT_MESSAGE:
 *
 * The most characters of an engine's message, which quotes names of the model.
 */
#define DYNO_PLAIN_TEXT_MESSAGE 1000

/* Returns the same as UTF-8; each byte that is none, or zero, is written as `\xff`. @bytes: what another
 * program printed, in whatever encoding. @length: bytes of it. */
char *dyno_plain_text_make_valid (const char *bytes, gsize length);
/* A terminal obeys control characters, and those of Unicode for the direction of writing make a text look
 * like another one. Line breaks and tabs are kept. JSON stays JSON, because it has no raw characters below
 * U+0020. Returns the text with `\x1b`, `\u202e` and the like written out. The caller owns it. */
char *dyno_plain_text_show_controls (const char *text);
/* Returns the text, or its beginning and an ellipsis. The caller owns it. */
char *dyno_plain_text_shorten (const char *text, guint max_length);
/* Returns its beginning, in one line and in UTF-8, for a sentence. The caller owns it. @text may be NULL.
 * @max_length: how many characters are kept, such as DYNO_PLAIN_TEXT_NAME. */
char *dyno_plain_text_quote (const char *text, guint max_length);
/* Returns the first few, and how many more there are. The caller owns it. */
char *
dyno_plain_text_join (const char *const *texts, guint n_texts, const char *separator, const char *suffix);

G_END_DECLS
