/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_csv_dup_text (const char *text);
void dyno_csv_append (GString *csv, const char *cell, char separator);

G_END_DECLS
