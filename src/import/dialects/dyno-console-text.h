/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the text that the group matches; NULL if there is none. The caller owns it. @text: a line that a
 * program has printed, or a person typed. @pattern: a regular expression with one group; it is compiled
 * once and kept. */
char *dyno_console_text_find (const char *text, const char *pattern);
/* Returns the model that it names; NULL if there is none. The caller owns it. @text: a line of a command,
 * or the arguments as Python prints them. */
char *dyno_console_text_find_model (const char *text);
/* Takes @found. @found may be NULL. */
void dyno_console_text_take (char **target, char *found);

G_END_DECLS
