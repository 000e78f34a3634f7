/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-chart-export.h"
#include "dyno-report-document-private.h"
#include "dyno-report-formats-private.h"

/* A chart is drawn in light and in dark colours. Both drawings are the same except for the values of some
 * attributes, so the page contains only one, with variables for these values. */

#define WIDTH 760

struct _DynoReportPalette
{
  GPtrArray *light;
  GPtrArray *dark;
  GHashTable *index; /* “light\ndark” to the position in both, from 1 */
};

DynoReportPalette *
dyno_report_palette_new (void)
{
  DynoReportPalette *self = g_new (DynoReportPalette, 1);

  self->light = g_ptr_array_new_with_free_func (g_free);
  self->dark = g_ptr_array_new_with_free_func (g_free);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
dyno_report_palette_free (DynoReportPalette *self)
{
  g_ptr_array_unref (self->light);
  g_ptr_array_unref (self->dark);
  g_hash_table_unref (self->index);
  g_free (self);
}

/* Returns the number of the variable that has these two values. */
static guint
find_or_add (DynoReportPalette *self, const char *light, const char *dark)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", light, dark);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, key));

  if (place == 0)
    {
      g_ptr_array_add (self->light, g_strdup (light));
      g_ptr_array_add (self->dark, g_strdup (dark));
      place = self->light->len;
      g_hash_table_insert (self->index, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }
  return place;
}

char *
dyno_report_palette_dup_css (const DynoReportPalette *self, gboolean is_dark)
{
  GPtrArray *values = is_dark ? self->dark : self->light;
  GString *css = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    g_string_append_printf (css, "--k%u:%s;", i + 1, (const char *)values->pdata[i]);
  return g_string_free (css, FALSE);
}

/* Names */

/* Makes names unique within a page: they begin with the number of the drawing. In texts a quote is “&quot;”. */
static char *
rename_all (const char *drawing, guint number)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_sized_new (strlen (drawing));

  for (const char *p = drawing; *p != '\0';)
    {
      gssize n_before = p - drawing;
      gboolean in_quotes = (n_before >= 5 && strncmp (p - 5, " id=\"", 5) == 0) ||
                           (n_before >= 3 && strncmp (p - 3, "=\"#", 3) == 0);
      gboolean in_brackets = n_before >= 5 && strncmp (p - 5, "url(#", 5) == 0;
      char end = in_quotes ? '"' : in_brackets ? ')' : 0;
      const char *close = end != 0 ? strchr (p, end) : NULL;
      char *name;
      guint place;

      if (close == NULL)
        {
          g_string_append_c (text, *p++);
          continue;
        }
      name = g_strndup (p, (gsize)(close - p));
      place = GPOINTER_TO_UINT (g_hash_table_lookup (names, name));
      if (place == 0)
        place = g_hash_table_size (names) + 1;
      g_hash_table_insert (names, name, GUINT_TO_POINTER (place));
      g_string_append_printf (text, "c%u-%u", number, place);
      p = close;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Colours */

/* Goes back to the beginning of a value that differs between the drawings: behind a colon in a style, or
 * behind a quote. */
static const char *
find_value (const char *text, const char *p)
{
  while (p > text && p[-1] != '"' && p[-1] != ':')
    p--;
  return p;
}

static gboolean
is_colour (const char *text, const char *value)
{
  static const char *const names[] = {
    "fill:",         "fill=\"",         "stroke:",         "stroke=\"",
    "fill-opacity:", "fill-opacity=\"", "stroke-opacity:", "stroke-opacity=\"",
    "stop-color:",   "stop-color=\"",   "stop-opacity:",   "stop-opacity=\""
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (value - text > (gssize)strlen (names[i]) &&
        strncmp (value - strlen (names[i]), names[i], strlen (names[i])) == 0)
      return TRUE;
  return FALSE;
}

/* Returns NULL if they differ in more than colours. */
static char *
merge (const char *light, const char *dark, DynoReportPalette *palette)
{
  g_autoptr (GString) text = g_string_sized_new (strlen (light));
  const char *a = light, *b = dark;

  while (*a != '\0' || *b != '\0')
    {
      const char *value_a, *value_b;
      g_autofree char *value_light = NULL;
      g_autofree char *value_dark = NULL;

      if (*a == *b)
        {
          g_string_append_c (text, *a++);
          b++;
          continue;
        }
      value_a = find_value (light, a);
      value_b = find_value (dark, b);
      if (!is_colour (light, value_a) || !is_colour (dark, value_b))
        return NULL;
      g_string_truncate (text, text->len - (a - value_a));
      a = value_a + strcspn (value_a, ";\"");
      b = value_b + strcspn (value_b, ";\"");
      value_light = g_strndup (value_a, a - value_a);
      value_dark = g_strndup (value_b, b - value_b);
      g_string_append_printf (text, "var(--k%u)", find_or_add (palette, value_light, value_dark));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Drawing */

static char *
draw (DynoChart *chart, guint number, const DynoChartStyle *style, GError **error)
{
  DynoChartStyle on_page = *style;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *file = NULL;
  const char *root;

  on_page.background.alpha = 0;
  bytes = dyno_chart_export_to_bytes (chart, DYNO_IMAGE_SVG, WIDTH,
                                      dyno_report_charts_get_height (chart, WIDTH), &on_page, error);
  if (bytes == NULL)
    return NULL;
  file = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  root = strstr (file, "<svg");
  return rename_all (root != NULL ? root : file, number);
}

char *
dyno_report_drawing_dup (DynoChart *chart, guint number, DynoReportPalette *palette, GError **error)
{
  g_autofree char *light = draw (chart, number, dyno_chart_style_get_light (), error);
  g_autofree char *dark = light != NULL ? draw (chart, number, dyno_chart_style_get_dark (), error) : NULL;
  g_autofree char *both = dark != NULL ? merge (light, dark, palette) : NULL;

  if (dark == NULL)
    return NULL;
  /* If the dark drawing is different, uses the light one on white. */
  return both != NULL ? g_strconcat ("<svg role=\"img\"", both + strlen ("<svg"), NULL)
                      : g_strconcat ("<svg role=\"img\" class=\"light-only\"", light + strlen ("<svg"), NULL);
}
