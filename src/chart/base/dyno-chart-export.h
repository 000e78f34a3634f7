/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DynoImageFormat:
 * @DYNO_IMAGE_PNG: a raster image at twice the size
 * @DYNO_IMAGE_SVG: a drawing
 * @DYNO_IMAGE_PDF: a page
 */
typedef enum
{
  DYNO_IMAGE_PNG,
  DYNO_IMAGE_SVG,
  DYNO_IMAGE_PDF,
} DynoImageFormat;

gboolean dyno_image_format_from_name (const char *file_name, DynoImageFormat *format);
GBytes *dyno_chart_export_to_bytes (DynoChart *chart,
                                    DynoImageFormat format,
                                    double width,
                                    double height,
                                    const DynoChartStyle *style,
                                    GError **error);
gboolean dyno_chart_export (DynoChart *chart,
                            const char *path,
                            DynoImageFormat format,
                            double width,
                            double height,
                            const DynoChartStyle *style,
                            GError **error);
gboolean dyno_chart_export_by_name (DynoChart *chart,
                                    const char *path,
                                    double width,
                                    double height,
                                    const DynoChartStyle *style,
                                    GError **error);

G_END_DECLS
