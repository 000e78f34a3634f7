/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-document.h"

G_BEGIN_DECLS

/* dyno-report-layout */

/* If a table is too wide, the settings that all rows share first go to a line above it, then columns are
 * dropped in the order of their ranks. If it still does not fit, each row becomes a card with a line per
 * column. A column without any text is left out, and a unit shared by all numbers of a column goes to its
 * heading. Returns the lines, each ending in a newline. The caller owns it. @width: the maximum number of
 * terminal columns, 0 for no limit. */
char *dyno_report_table_to_string (const DynoReportTable *self, guint width);

/* dyno-report-wrap */

/* Returns the number of terminal columns that the text takes. */
guint dyno_report_text_width (const char *text);
/* Returns the lines of the text, at least one; a word longer than a line is split only after “-” and “/”. The
 * caller owns it. */
GStrv dyno_report_text_wrap (const char *text, guint width);
/* Appends the lines of each paragraph, all but its first indented. @width: the maximum number of terminal
 * columns, 0 for no limit. */
void dyno_report_text_append (GString *lines, const char *text, guint indent, guint width);

/* dyno-report-plain */

/**
 * DynoReportPlainFlags:
 * @DYNO_REPORT_PLAIN_WIDE: all columns of tables, whatever the width
 * @DYNO_REPORT_PLAIN_DETAILS: the details, not only their summaries
 *
 * The parts of a document that are shown as text.
 */
typedef enum
{
  DYNO_REPORT_PLAIN_WIDE = 1 << 0,
  DYNO_REPORT_PLAIN_DETAILS = 1 << 1,
} DynoReportPlainFlags;

/* Returns the document as text, without its charts. The caller owns it. @width: the maximum number of terminal
 * columns, 0 for no limit. */
char *dyno_report_plain_write (const DynoReportDocument *document, guint width, DynoReportPlainFlags flags);

G_END_DECLS
