/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the text in @charset; characters that it lacks are written in ASCII, such as `+/-` for ±. The
 * caller owns it. @text: a text in UTF-8. */
char *dyno_cli_charset_convert (const char *text, const char *charset);

G_END_DECLS
