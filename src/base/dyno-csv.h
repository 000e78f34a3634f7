/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A spreadsheet would compute a text that begins like a formula, and might start programs for it. Returns the
 * text of a cell, with an apostrophe before anything that looks like a formula; NULL if @text is NULL. @text
 * may be NULL. */
char *dyno_csv_dup_text (const char *text);
/* Appends a cell, in quotes if needed. @csv: comma-separated values after RFC 4180. */
void dyno_csv_append (GString *csv, const char *cell, char separator);

G_END_DECLS
