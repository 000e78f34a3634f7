/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-charts-private.h"
#include "dyno-compat.h"
#include "suite.h"
#include "window-fixture.h"

/* The colours of what Dyno draws itself stand out from what is behind: the ring around the focus, the cursor and the
 * series of charts by 3 to 1, their text by 4.5 to 1. Run once more in high contrast. */

#define GRAPHIC 3.0
#define TEXT    4.5

static const char *const backgrounds[] = { "window_bg_color", "view_bg_color", "card_bg_color",
                                           "dyno_chart_background" };

static DynoColor
look_up (GtkWidget *widget, const char *name)
{
  GdkRGBA rgba;

  if (!dyno_compat_lookup_color (widget, name, &rgba))
    g_error ("There is no colour %s", name);
  return (DynoColor){ rgba.red, rgba.green, rgba.blue, rgba.alpha };
}

static double
mix (double above, double below, double alpha)
{
  return above * alpha + below * (1 - alpha);
}

static DynoColor
blend (DynoColor above, DynoColor below)
{
  return (DynoColor){ mix (above.red, below.red, above.alpha), mix (above.green, below.green, above.alpha),
                      mix (above.blue, below.blue, above.alpha), 1 };
}

static void
assert_stands_out (GtkWidget *widget, const char *what, const DynoColor *color, double least)
{
  for (guint i = 0; i < G_N_ELEMENTS (backgrounds); i++)
    {
      DynoColor below = blend (look_up (widget, backgrounds[i]), look_up (widget, "window_bg_color"));
      DynoColor seen = blend (*color, below);
      double contrast = dyno_color_get_contrast (&seen, &below);

      if (contrast >= least)
        continue;
      g_test_message ("%s on %s: %.2f, less than %.1f", what, backgrounds[i], contrast, least);
      g_test_fail ();
    }
}

static void
test_focus (GtkWidget *canvas)
{
  DynoColor focus = look_up (canvas, "dyno_focus");

  assert_stands_out (canvas, "the ring of the focus", &focus, GRAPHIC);
}

static void
test_chart (GtkWidget *canvas)
{
  DynoChartStyle style;

  dyno_chart_palette_fill (canvas, &style);
  assert_stands_out (canvas, "the cursor of a chart", &style.accent, GRAPHIC);
  assert_stands_out (canvas, "the text of a chart", &style.foreground, TEXT);
  assert_stands_out (canvas, "the small text of a chart", &style.dim, TEXT);
  for (guint i = 0; i < DYNO_CHART_N_COLORS; i++)
    {
      g_autofree char *what = g_strdup_printf ("series %u", i + 1);

      assert_stands_out (canvas, what, &style.series[i], GRAPHIC);
    }
}

static void
test_scheme (gconstpointer scheme)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkWidget *window = gtk_window_new ();
  GtkWidget *canvas = g_object_new (DYNO_TYPE_CHART_CANVAS, NULL);

  adw_style_manager_set_color_scheme (manager, GPOINTER_TO_INT (scheme));
  g_assert_cmpint (adw_style_manager_get_dark (manager), ==,
                   GPOINTER_TO_INT (scheme) == ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_cmpint (adw_style_manager_get_high_contrast (manager), ==,
                   g_getenv ("ADW_DEBUG_HIGH_CONTRAST") != NULL);
  gtk_window_set_child (GTK_WINDOW (window), canvas);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  test_focus (canvas);
  test_chart (canvas);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
add_tests (void)
{
  g_test_add_data_func ("/contrast/light", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_LIGHT), test_scheme);
  g_test_add_data_func ("/contrast/dark", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_DARK), test_scheme);
}

WINDOW_SUITE (add_tests)
