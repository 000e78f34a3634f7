/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns how many columns of a terminal it takes. */
guint dyno_cli_text_width (const char *text);
/* Returns its lines, at least one; a word that is longer than a line is divided behind “-” and “/” alone.
 * The caller owns it. */
GStrv dyno_cli_text_wrap (const char *text, guint width);
/* Returns how many columns the terminal has, 0 in a pipe or a file, where nobody knows how wide the reader
 * is. */
guint dyno_cli_text_get_terminal_width (void);

G_END_DECLS
