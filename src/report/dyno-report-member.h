/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Members of the object that is being built; unknown values are null. */

void dyno_report_member_add_text (JsonBuilder *builder, const char *name, const char *text);
void dyno_report_member_add_number (JsonBuilder *builder, const char *name, double number);
void dyno_report_member_add_count (JsonBuilder *builder, const char *name, gint64 count);
void dyno_report_member_add_flag (JsonBuilder *builder, const char *name, gboolean flag);

G_END_DECLS
