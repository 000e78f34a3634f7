/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the text for XML or HTML, between tags or as the value of an attribute in double quotes; characters
 * that are not allowed become U+FFFD. The caller owns it. @text may be NULL. */
char *dyno_markup_escape (const char *text);

G_END_DECLS
