/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_plain_text_make_valid (const char *bytes, gsize length);
char *dyno_plain_text_show_controls (const char *text);
char *dyno_plain_text_shorten (const char *text, guint max_length);

G_END_DECLS
