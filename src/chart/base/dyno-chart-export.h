/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DYNO_CHART_EXPORT_WIDTH:
 *
 * The default width of a picture of a chart, in px.
 */
#define DYNO_CHART_EXPORT_WIDTH 960

/**
 * DYNO_CHART_EXPORT_HEIGHT:
 *
 * The minimum height of a picture of a chart, in px; see dyno_chart_get_export_height().
 */
#define DYNO_CHART_EXPORT_HEIGHT 540

/**
 * DynoImageFormat:
 * @DYNO_IMAGE_PNG: a raster image at twice the size
 * @DYNO_IMAGE_SVG: a drawing
 * @DYNO_IMAGE_PDF: a page
 * @DYNO_IMAGE_CSV: no image, but its data as a table
 * @DYNO_IMAGE_JSON: no image, but its texts, axes and points
 * @DYNO_IMAGE_VEGA_LITE: a specification for drawing it with Vega-Lite
 */
typedef enum
{
  DYNO_IMAGE_PNG,
  DYNO_IMAGE_SVG,
  DYNO_IMAGE_PDF,
  DYNO_IMAGE_CSV,
  DYNO_IMAGE_JSON,
  DYNO_IMAGE_VEGA_LITE,
} DynoImageFormat;

#define DYNO_N_IMAGE_FORMATS (DYNO_IMAGE_VEGA_LITE + 1)

/* Returns the suffix of its file names, without the dot. */
const char *dyno_image_format_get_suffix (DynoImageFormat format);
/* Returns its stable name, for command lines. */
const char *dyno_image_format_to_string (DynoImageFormat format);
/* Returns whether the suffix of @file_name is that of a format. */
gboolean dyno_image_format_from_name (const char *file_name, DynoImageFormat *format);
/* Returns the default height of a picture of the chart, in whole px: enough for the panels, title, finding
 * and caption, and at least DYNO_CHART_EXPORT_HEIGHT. */
double dyno_chart_get_export_height (DynoChart *chart, double width);
/* Renders the chart as a file; a raster image has twice as many pixels in each direction. Data formats have
 * no size. Returns the bytes of the file. The caller owns it. Fails with DYNO_ERROR_INVALID_ARGUMENT for an
 * impossible size. */
GBytes *dyno_chart_export_to_bytes (DynoChart *chart,
                                    DynoImageFormat format,
                                    double width,
                                    double height,
                                    const DynoChartStyle *style,
                                    GError **error);
/* Writes the chart to a file, which is replaced as a whole or not at all. Returns whether it was written. */
gboolean dyno_chart_export (DynoChart *chart,
                            const char *path,
                            DynoImageFormat format,
                            double width,
                            double height,
                            const DynoChartStyle *style,
                            GError **error);
/* Returns whether it was written. Fails with DYNO_ERROR_INVALID_ARGUMENT for an unknown suffix. */
gboolean dyno_chart_export_by_name (DynoChart *chart,
                                    const char *path,
                                    double width,
                                    double height,
                                    const DynoChartStyle *style,
                                    GError **error);

G_END_DECLS
