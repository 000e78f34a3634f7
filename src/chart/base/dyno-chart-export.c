/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-export.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-text.h"

#define PNG_SCALE 2
/* Cairo's own limit for the side of an image. */
#define MAX_PIXELS 32767
/* The height of title, finding, legend and caption together. */
#define WORDS 160

static const struct
{
  const char *name;
  const char *suffix;
} formats[DYNO_N_IMAGE_FORMATS] = {
  [DYNO_IMAGE_PNG] = { "png", "png" },    [DYNO_IMAGE_SVG] = { "svg", "svg" },
  [DYNO_IMAGE_PDF] = { "pdf", "pdf" },    [DYNO_IMAGE_CSV] = { "csv", "csv" },
  [DYNO_IMAGE_JSON] = { "json", "json" }, [DYNO_IMAGE_VEGA_LITE] = { "vega-lite", "vl.json" },
};

const char *
dyno_image_format_get_suffix (DynoImageFormat format)
{
  g_return_val_if_fail (format < DYNO_N_IMAGE_FORMATS, NULL);
  return formats[format].suffix;
}

const char *
dyno_image_format_to_string (DynoImageFormat format)
{
  g_return_val_if_fail (format < DYNO_N_IMAGE_FORMATS, NULL);
  return formats[format].name;
}

gboolean
dyno_image_format_from_name (const char *file_name, DynoImageFormat *format)
{
  g_return_val_if_fail (file_name != NULL, FALSE);

  g_autofree char *lower = g_ascii_strdown (file_name, -1);
  /* Search from the end: the suffix of a specification ends like that of other JSON. */
  for (guint i = DYNO_N_IMAGE_FORMATS; i > 0; i--)
    {
      g_autofree char *ending = g_strconcat (".", formats[i - 1].suffix, NULL);

      if (!g_str_has_suffix (lower, ending))
        continue;
      *format = i - 1;
      return TRUE;
    }
  return FALSE;
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
create_surface (DynoImageFormat format, double width, double height, GByteArray *bytes)
{
  cairo_surface_t *surface;

  switch (format)
    {
    case DYNO_IMAGE_SVG:
      surface = cairo_svg_surface_create_for_stream (append, bytes, width, height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return surface;
    case DYNO_IMAGE_PDF:
      return cairo_pdf_surface_create_for_stream (append, bytes, width, height);
    case DYNO_IMAGE_PNG:
    case DYNO_IMAGE_CSV:
    case DYNO_IMAGE_JSON:
    case DYNO_IMAGE_VEGA_LITE:
    default:
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)ceil (width * PNG_SCALE),
                                            (int)ceil (height * PNG_SCALE));
      cairo_surface_set_device_scale (surface, PNG_SCALE, PNG_SCALE);
      return surface;
    }
}

static void
append_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *)text, strlen (text));
}

/* Returns the text of each point as an invisible rectangle over it. */
static char *
dup_marks (DynoChart *chart)
{
  static const char *const names[] = { "x", "y", "width", "height" };
  g_autoptr (GArray) marks = dyno_chart_list_marks (chart);
  g_autoptr (GString) text = g_string_new ("<g fill=\"none\" stroke=\"none\" pointer-events=\"all\">\n");

  for (guint i = 0; i < marks->len; i++)
    {
      const DynoChartMark *mark = &g_array_index (marks, DynoChartMark, i);
      const double places[] = { mark->x, mark->y, mark->width, mark->height };
      g_autofree char *words = dyno_markup_escape (mark->text);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, "<rect");
      for (guint k = 0; k < G_N_ELEMENTS (places); k++)
        g_string_append_printf (text, " %s=\"%s\"", names[k],
                                g_ascii_formatd (number, sizeof number, "%.1f", places[k]));
      g_string_append_printf (text, "><title>%s</title></rect>\n", words);
    }
  g_string_append (text, "</g>\n");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Cairo draws letters as outlines; title and description restore the text for readers of the file, and marks
 * restore the numbers. */
static GByteArray *
describe_drawing (GByteArray *bytes, DynoChart *chart)
{
  g_autofree char *drawing = g_strndup ((const char *)bytes->data, bytes->len);
  char *root = strstr (drawing, "<svg");
  char *begin = root != NULL ? strchr (root, '>') : NULL;
  char *end = begin != NULL ? g_strrstr (begin, "</svg>") : NULL;
  g_autofree char *title = dyno_markup_escape (dyno_chart_get_title (chart));
  g_autofree char *finding = dyno_markup_escape (dyno_chart_get_finding (chart));
  g_autofree char *caption = dyno_markup_escape (dyno_chart_get_caption (chart));
  g_autofree char *description =
      g_strdup_printf ("\n<title>%s</title>\n<desc>%s\n%s</desc>", title, finding, caption);
  g_autofree char *marks = dup_marks (chart);
  GByteArray *described = g_byte_array_new ();

  if (end == NULL)
    {
      append_text (described, drawing);
      return described;
    }
  g_byte_array_append (described, (const guint8 *)drawing, begin - drawing + 1);
  append_text (described, description);
  g_byte_array_append (described, (const guint8 *)begin + 1, end - begin - 1);
  append_text (described, marks);
  append_text (described, end);
  return described;
}

double
dyno_chart_get_export_height (DynoChart *chart, double width)
{
  g_return_val_if_fail (DYNO_IS_CHART (chart), DYNO_CHART_EXPORT_HEIGHT);

  double height = dyno_chart_get_natural_height (chart, width);
  if (height > 0)
    height += dyno_chart_get_note_height (chart, width);
  return MIN (MAX (DYNO_CHART_EXPORT_HEIGHT, ceil (height + WORDS)), MAX_PIXELS / PNG_SCALE);
}

GBytes *
dyno_chart_export_to_bytes (DynoChart *chart,
                            DynoImageFormat format,
                            double width,
                            double height,
                            const DynoChartStyle *style,
                            GError **error)
{
  g_return_val_if_fail (DYNO_IS_CHART (chart), NULL);
  g_return_val_if_fail (style != NULL, NULL);

  char *data = format == DYNO_IMAGE_CSV         ? dyno_chart_dup_table (chart, ',')
               : format == DYNO_IMAGE_JSON      ? dyno_chart_spec_dup_json (chart)
               : format == DYNO_IMAGE_VEGA_LITE ? dyno_chart_spec_dup_vega_lite (chart)
                                                : NULL;
  if (data != NULL)
    return g_bytes_new_take (data, strlen (data));
  if (!(width >= 1 && height >= 1 && MAX (width, height) * PNG_SCALE <= MAX_PIXELS))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("An image cannot be %g × %g pixels. Choose sides from 1 to %d."), width, height,
                   MAX_PIXELS / PNG_SCALE);
      return NULL;
    }
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = create_surface (format, width, height, bytes);
  if (format == DYNO_IMAGE_PDF)
    {
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, dyno_chart_get_title (chart));
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, dyno_chart_get_finding (chart));
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Dyno " PACKAGE_VERSION);
    }
  cairo_t *cr = cairo_create (surface);
  dyno_chart_render (chart, cr, width, height, style);
  cairo_show_page (cr);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == DYNO_IMAGE_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  status = status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The chart “%s” could not be drawn: %s."),
                   dyno_chart_get_title (chart), cairo_status_to_string (status));
      return NULL;
    }
  if (format == DYNO_IMAGE_SVG)
    return g_byte_array_free_to_bytes (describe_drawing (bytes, chart));
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

gboolean
dyno_chart_export (DynoChart *chart,
                   const char *path,
                   DynoImageFormat format,
                   double width,
                   double height,
                   const DynoChartStyle *style,
                   GError **error)
{
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  g_autoptr (GBytes) bytes = dyno_chart_export_to_bytes (chart, format, width, height, style, error);
  if (bytes == NULL)
    return FALSE;
  if (dyno_output_file_write (path, bytes, &local_error))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The chart could not be written to “%s”: %s. Choose another folder."), path,
               local_error->message);
  return FALSE;
}

gboolean
dyno_chart_export_by_name (DynoChart *chart,
                           const char *path,
                           double width,
                           double height,
                           const DynoChartStyle *style,
                           GError **error)
{
  DynoImageFormat format;

  g_return_val_if_fail (path != NULL, FALSE);

  if (!dyno_image_format_from_name (path, &format))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("The format of “%s” is unknown. Use a name that ends in .png, .svg, .pdf, .csv, .json "
                      "or .vl.json."),
                   path);
      return FALSE;
    }
  return dyno_chart_export (chart, path, format, width, height, style, error);
}
