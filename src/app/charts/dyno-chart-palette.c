/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-charts-private.h"
#include "dyno-compat.h"

static void
lookup (GtkWidget *widget, const char *name, DynoColor *color)
{
  GdkRGBA rgba;

  if (!dyno_compat_lookup_color (widget, name, &rgba))
    return;
  color->red = rgba.red;
  color->green = rgba.green;
  color->blue = rgba.blue;
  color->alpha = rgba.alpha;
}

static void
lookup_all (GtkWidget *widget, const char *prefix, DynoColor *colors, guint n_colors)
{
  for (guint i = 0; i < n_colors; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%u", prefix, i + 1);
      lookup (widget, name, &colors[i]);
    }
}

void
dyno_chart_palette_fill (GtkWidget *widget, DynoChartStyle *style)
{
  AdwStyleManager *manager;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (style != NULL);

  manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  *style = adw_style_manager_get_high_contrast (manager) ? *dyno_chart_style_get_high_contrast ()
                                                         : *dyno_chart_style_get_light ();
  lookup (widget, "dyno_chart_foreground", &style->foreground);
  lookup (widget, "dyno_chart_dim", &style->dim);
  lookup (widget, "dyno_chart_grid", &style->grid);
  lookup (widget, "dyno_chart_accent", &style->accent);
  lookup (widget, "dyno_chart_doubt", &style->doubt);
  lookup (widget, "dyno_chart_background", &style->background);
  lookup_all (widget, "dyno_series", style->series, G_N_ELEMENTS (style->series));
  lookup_all (widget, "dyno_phase", style->phases, G_N_ELEMENTS (style->phases));
  style->background.alpha = 0;
  style->with_title = FALSE;
}
