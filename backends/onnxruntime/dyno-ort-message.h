/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_ort_message_find_operator (const char *message);
char *dyno_ort_message_find_unimplemented (const char *message);

G_END_DECLS
