/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_cli_charset_convert (const char *text, const char *charset);

G_END_DECLS
