/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-report-source.h"

G_BEGIN_DECLS

/**
 * DynoReportFormat:
 * @name: a stable name, for command lines
 * @suffix: what names of its files end in, without the dot; the first format in the list that has a suffix is chosen by it
 * @label: what people call it, to be translated
 * @write_document: (nullable): writes a document, for people; %NULL for a format that holds data
 * @write_runs: (nullable): writes what runs hold, for machines
 * @holds_originals: whether that includes the files which runs were imported from, see [method@Dyno.Store.add_original]
 *
 * A form of reports; one of the two functions is %NULL.
 */
typedef struct
{
  const char *name;
  const char *suffix;
  const char *label;
  GBytes *(*write_document) (const DynoReportDocument *document, GError **error);
  GBytes *(*write_runs) (const DynoReportSource *source, GError **error);
  gboolean holds_originals;
} DynoReportFormat;

/* Returns the formats, in the order in which people see them. */
const DynoReportFormat *const *dyno_report_format_list (void);
/* Returns the format of that name; NULL if there is none. @name (nullable): a stable name, such as
 * `markdown`. */
const DynoReportFormat *dyno_report_format_find (const char *name);
/* Returns the format that its ending stands for; NULL if there is none. */
const DynoReportFormat *dyno_report_format_find_for_file (const char *file_name);
/* Returns the names of all formats, with “|” between, as help texts have them. */
const char *dyno_report_format_get_names (void);

/* Returns the templates, in the order in which people see them. */
const DynoReportTemplate *const *dyno_report_template_list (void);
/* Returns the template of that name; NULL if there is none. @name (nullable): a stable name, such as
 * `run`. */
const DynoReportTemplate *dyno_report_template_find (const char *name);
/* Returns the names of all templates and that of the gallery, with “|” between, as help texts have them. */
const char *dyno_report_template_get_names (void);

/* Returns the bytes of the file. The caller owns it. @of: what the report says, for formats that are
 * written for people; NULL for the runs, one by one. @source: what it is about, one run at least. */
GBytes *dyno_report_write (const DynoReportFormat *format,
                           const DynoReportTemplate *of,
                           const DynoReportSource *source,
                           GError **error);

G_END_DECLS
