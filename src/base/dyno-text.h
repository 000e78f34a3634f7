/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* dyno-csv */

/* A spreadsheet would compute a text that begins like a formula, and might start programs for it. Returns the
 * text of a cell, with an apostrophe before anything that looks like a formula; NULL if @text is NULL. @text
 * may be NULL. */
char *dyno_csv_dup_text (const char *text);
/* Appends a cell, in quotes if needed. @csv: comma-separated values after RFC 4180. */
void dyno_csv_append (GString *csv, const char *cell, char separator);

/* dyno-date */

/* Returns the local day of that time, such as “12 May 2026”; empty for never. The caller owns it.
 * @microseconds: since 1970, 0 for never. */
char *dyno_date_format (gint64 microseconds);

/* dyno-locale */

/* Sets the folder of the translations; call it at the start of a program that has set its locale. */
void dyno_locale_bind (void);

/* dyno-markup */

/* Returns the text for XML or HTML, between tags or as the value of an attribute in double quotes; characters
 * that are not allowed become U+FFFD. The caller owns it. @text may be NULL. */
char *dyno_markup_escape (const char *text);

/* dyno-plain-text */

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
