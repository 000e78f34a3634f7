/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-export.h"
#include "dyno-chart-kind.h"

G_BEGIN_DECLS

/* Nobody looks at the charts of more cases one by one; those of the whole run show them all. */
#define DYNO_CLI_CHARTS_MAX_CASES 100
/* The maximum number of kinds, those of plug-ins included. */
#define DYNO_CLI_CHARTS_MAX_KINDS 64

/**
 * DynoCliCharts:
 * @folder: where the pictures go
 * @kinds: (array length=n_kinds): which charts
 * @n_kinds: how many
 * @formats: (array length=n_formats): in which formats
 * @n_formats: how many
 * @width: of a picture, in px
 * @height: of a picture, in px; 0 for as high as each chart needs
 * @style: how they look
 * @case_number: of which case charts of one case are drawn, from 1; 0 for all, up to %DYNO_CLI_CHARTS_MAX_CASES
 * @n_written: how many files were written
 * @n_left_out: of how many cases no charts of their own were drawn
 *
 * Pictures of runs in a folder.
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

/* Returns the names of all charts, with commas between. */
char *dyno_cli_charts_dup_kind_names (void);
/* Selects every chart, as SVG and PNG, on white, each as high as it needs. @folder: where the pictures go;
 * made when it does not exist. */
void dyno_cli_charts_init (DynoCliCharts *self, const char *folder);
/* Returns whether all are known. @names: `all`, or names of charts with commas between. */
gboolean dyno_cli_charts_set_kinds (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether all are known. @names: names of formats, such as `svg`, with commas between. */
gboolean dyno_cli_charts_set_formats (DynoCliCharts *self, const char *names, GError **error);
/* Returns whether it is a size. @size: such as `960x540`. */
gboolean dyno_cli_charts_set_size (DynoCliCharts *self, const char *size, GError **error);
/* Writes the pictures; a chart for which the runs hold no data is left out. Returns whether any was to be
 * written, and all were. @runs holds DynoRun. Fails with DYNO_ERROR_NOT_FOUND when the runs hold nothing
 * to draw. */
gboolean dyno_cli_charts_write (DynoCliCharts *self, GPtrArray *runs, GError **error);

G_END_DECLS
