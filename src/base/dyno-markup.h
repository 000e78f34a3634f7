/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_markup_escape (const char *text);

G_END_DECLS
