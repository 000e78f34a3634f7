/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_console_text_find (const char *text, const char *pattern);
char *dyno_console_text_find_model (const char *text);
void dyno_console_text_take (char **target, char *found);

G_END_DECLS
