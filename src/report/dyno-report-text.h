/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_report_text_format_number (double number);
char *dyno_report_text_format_exact (double number);
char *dyno_report_text_format_time (gint64 microseconds);
char *dyno_report_text_escape (const char *text);

G_END_DECLS
