/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint dyno_cli_text_width (const char *text);
GStrv dyno_cli_text_wrap (const char *text, guint width);
guint dyno_cli_text_get_terminal_width (void);

G_END_DECLS
