/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the number of terminal columns that the text takes. */
guint dyno_cli_text_width (const char *text);
/* Returns the lines of the text, at least one; a word longer than a line is split only after “-” and “/”. The
 * caller owns it. */
GStrv dyno_cli_text_wrap (const char *text, guint width);
/* Returns the number of columns of the terminal; 0 for a pipe or a file, where the width is unknown. */
guint dyno_cli_text_get_terminal_width (void);

G_END_DECLS
