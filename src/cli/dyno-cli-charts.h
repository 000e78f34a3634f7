/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-export.h"
#include "dyno-chart-kind.h"

G_BEGIN_DECLS

/* With more cases, their own charts are too many to look at; the charts of the whole run show them all. */
#define DYNO_CLI_CHARTS_MAX_CASES 100
/* The maximum number of chart kinds, including those of plug-ins. */
#define DYNO_CLI_CHARTS_MAX_KINDS 64

/**
 * DynoCliCharts:
 * @folder: the folder for the pictures
 * @kinds: (array length=n_kinds): the kinds of charts
 * @n_kinds: their number
 * @formats: (array length=n_formats): the file formats
 * @n_formats: their number
 * @width: of a picture, in px
 * @height: of a picture, in px; 0 for the height that each chart needs
 * @style: the style of the charts
 * @case_number: the case for charts of one case, from 1; 0 for all, up to DYNO_CLI_CHARTS_MAX_CASES
 * @n_written: the number of files written
 * @n_left_out: the number of cases without charts of their own
 *
 * Options for charts of runs, and the number of files written.
 */
typedef struct
{
  const char *folder;
  DynoChartKind kinds[DYNO_CLI_CHARTS_MAX_KINDS];
  guint n_kinds;
  DynoImageFormat formats[DYNO_N_IMAGE_FORMATS];
  guint n_formats;
  double width;
  double height;
  const DynoChartStyle *style;
  guint case_number;
  guint n_written;
  guint n_left_out;
} DynoCliCharts;

/* Returns the names of all charts, separated by commas. */
char *dyno_cli_charts_dup_kind_names (void);
/* Selects every chart, as SVG and PNG, on white, at the height it needs. @folder: the folder for the
 * pictures; it is created if it does not exist. */
void dyno_cli_charts_init (DynoCliCharts *self, const char *folder);
/* Returns whether all names are known. @names: `all`, or names of charts separated by commas. */
gboolean dyno_cli_charts_set_kinds (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether all names are known. @names: names of formats, such as `svg`, separated by commas. */
gboolean dyno_cli_charts_set_formats (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether it is a valid size. @size: such as `960x540`. */
gboolean dyno_cli_charts_set_size (DynoCliCharts *self, const char *size, GError **error);
/* Writes the charts; a chart without data is left out. Returns whether at least one was written and none
 * failed. @runs holds DynoRun. Fails with DYNO_ERROR_NOT_FOUND when the runs hold no data for any chart. */
gboolean dyno_cli_charts_write (DynoCliCharts *self, GPtrArray *runs, GError **error);

G_END_DECLS
