/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-ink.h"
#include "dyno-text.h"

/* The size of blank letters, as shares of the font size in px. */
#define BLANK_ADVANCE 0.55
#define BLANK_HEIGHT  1.4
#define PX_PER_POINT  (96.0 / 72.0)

/* The maximum length of a text in a picture: a stranger's names may be very long; tables and data formats
 * have them in full. */
#define MAX_LETTERS 1000

static GArray *recorder;

static PangoFontDescription *
describe_font (DynoTextSize size, const DynoChartStyle *style)
{
  static const double scales[] = {
    [DYNO_TEXT_NORMAL] = 1, [DYNO_TEXT_SMALL] = 0.9, [DYNO_TEXT_BOLD] = 1, [DYNO_TEXT_TITLE] = 1.25
  };
  PangoFontDescription *font = pango_font_description_from_string (style->font != NULL ? style->font : "");
  int points = pango_font_description_get_size (font);

  pango_font_description_set_size (font, (int)((points > 0 ? points : 10 * PANGO_SCALE) * scales[size]));
  if (size == DYNO_TEXT_BOLD || size == DYNO_TEXT_TITLE)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  return font;
}

static PangoLayout *
create_layout (const DynoText *text, cairo_t *cr, const DynoChartStyle *style)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = describe_font (text->size, style);
  PangoAttrList *attributes = pango_attr_list_new ();
  g_autofree char *words = dyno_plain_text_shorten (text->text, MAX_LETTERS);

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));

  /* Keeps a number on one line with its per cent sign or with a unit such as GB/s. */
  for (const char *here = strpbrk (words, "/%"); here != NULL; here = strpbrk (here + 1, "/%"))
    {
      PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);
      const char *first = *here == '%' && here > words ? here - 1 : here;

      attribute->start_index = (guint)(first - words);
      attribute->end_index = attribute->start_index + 2;
      pango_attr_list_insert (attributes, attribute);
    }

  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, words, -1);
  if (text->width > 0)
    {
      pango_layout_set_width (layout, (int)ceil (text->width * PANGO_SCALE));
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      pango_layout_set_height (layout, -(int)MAX (text->n_lines, 1));
      pango_layout_set_alignment (layout, text->align_x == 0.5 ? PANGO_ALIGN_CENTER
                                          : text->align_x == 1 ? PANGO_ALIGN_RIGHT
                                                               : PANGO_ALIGN_LEFT);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  pango_attr_list_unref (attributes);
  pango_font_description_free (font);
  return layout;
}

static void
measure_layout (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  *width = logical.width / (double)PANGO_SCALE;
  *height = logical.height / (double)PANGO_SCALE;
}

static void
measure_blank (const DynoText *text, const DynoChartStyle *style, double *width, double *height)
{
  PangoFontDescription *font = describe_font (text->size, style);
  double pixels = pango_font_description_get_size (font) / (double)PANGO_SCALE * PX_PER_POINT;
  double n_lines = 1;

  pango_font_description_free (font);
  double length = g_utf8_strlen (text->text, -1) * pixels * BLANK_ADVANCE;

  if (text->width > 0 && length > text->width)
    {
      n_lines = MIN (ceil (length / text->width), MAX (text->n_lines, 1));
      length = text->width;
    }
  *width = length;
  *height = n_lines * pixels * BLANK_HEIGHT;
}

void
dyno_text_measure (
    const DynoText *text, cairo_t *cr, const DynoChartStyle *style, double *width, double *height)
{
  if (style->blank_text)
    {
      measure_blank (text, style, width, height);
      return;
    }
  g_autoptr (PangoLayout) layout = create_layout (text, cr, style);
  measure_layout (layout, width, height);
}

double
dyno_text_get_line_height (DynoTextSize size, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText text = { .text = "0", .size = size };
  double width, height;

  dyno_text_measure (&text, cr, style, &width, &height);
  return height;
}

static void
draw_letters (PangoLayout *layout, const DynoText *text, cairo_t *cr, const DynoChartStyle *style)
{
  PangoRectangle logical;
  double x, y;

  /* Lines that are not left-aligned begin where the widest of them does, not at the edge of their box. */
  pango_layout_get_extents (layout, NULL, &logical);
  cairo_rel_move_to (cr, -logical.x / (double)PANGO_SCALE, 0);
  cairo_get_current_point (cr, &x, &y);
  if (text->halo)
    {
      pango_cairo_layout_path (cr, layout);
      dyno_ink_set_background (cr, style);
      cairo_set_line_width (cr, 3);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
      cairo_stroke (cr);
      cairo_move_to (cr, x, y);
    }
  dyno_ink_set (cr, text->color != NULL ? text->color : &style->foreground);
  pango_cairo_show_layout (cr, layout);
}

/* Finds the position of the top left corner, turned around the anchor. */
static void
find_corner (const DynoText *text, double width, double height, double *x, double *y)
{
  double right = -text->align_x * width;
  double down = -text->align_y * height;

  *x = text->x + right * cos (text->angle) - down * sin (text->angle);
  *y = text->y + right * sin (text->angle) + down * cos (text->angle);
}

void
dyno_text_draw (const DynoText *text, cairo_t *cr, const DynoChartStyle *style)
{
  g_autoptr (PangoLayout) layout = style->blank_text ? NULL : create_layout (text, cr, style);
  double x, y, width, height;

  if (layout != NULL)
    measure_layout (layout, &width, &height);
  else
    measure_blank (text, style, &width, &height);
  find_corner (text, width, height, &x, &y);
  if (recorder != NULL)
    {
      DynoTextBox box = { g_strdup (text->text), x, y, width, height, text->angle };

      cairo_user_to_device (cr, &box.x, &box.y);
      cairo_user_to_device_distance (cr, &box.width, &box.height);
      g_array_append_val (recorder, box);
    }
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (text->angle != 0)
    {
      cairo_translate (cr, x, y);
      cairo_rotate (cr, text->angle);
      x = y = 0;
    }
  cairo_move_to (cr, x, y);
  if (layout != NULL)
    draw_letters (layout, text, cr, style);
  else
    {
      dyno_ink_set (cr, text->color != NULL ? text->color : &style->foreground);
      cairo_rectangle (cr, round (x), round (y + height * 0.25), ceil (width), round (height * 0.5));
      cairo_fill (cr);
    }
  cairo_new_path (cr);
  cairo_restore (cr);
}

void
dyno_text_get_box (const DynoText *text, double width, double height, DynoTextBox *box)
{
  *box = (DynoTextBox){ .width = width, .height = height, .angle = text->angle };
  find_corner (text, width, height, &box->x, &box->y);
}

static void
get_corners (const DynoTextBox *self, double inset, double corners[4][2])
{
  double cosine = cos (self->angle);
  double sine = sin (self->angle);

  for (guint i = 0; i < 4; i++)
    {
      double right = i == 1 || i == 2 ? self->width : 0;
      double down = i >= 2 ? self->height - inset : inset;

      corners[i][0] = self->x + right * cosine - down * sine;
      corners[i][1] = self->y + right * sine + down * cosine;
    }
}

void
dyno_text_box_get_extents (const DynoTextBox *self, double *left, double *top, double *right, double *bottom)
{
  double corners[4][2];

  get_corners (self, 0, corners);
  *left = *right = corners[0][0];
  *top = *bottom = corners[0][1];
  for (guint i = 1; i < 4; i++)
    {
      *left = MIN (*left, corners[i][0]);
      *right = MAX (*right, corners[i][0]);
      *top = MIN (*top, corners[i][1]);
      *bottom = MAX (*bottom, corners[i][1]);
    }
}

static void
project (double corners[4][2], double x, double y, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (guint i = 0; i < 4; i++)
    {
      double here = corners[i][0] * x + corners[i][1] * y;

      *low = MIN (*low, here);
      *high = MAX (*high, here);
    }
}

/* Two boxes are separate if a side of one of them has them on different sides. */
static gboolean
are_parted (double a[4][2], double b[4][2], double angle)
{
  for (guint i = 0; i < 2; i++)
    {
      double a_low, a_high, b_low, b_high;

      project (a, cos (angle + i * G_PI / 2), sin (angle + i * G_PI / 2), &a_low, &a_high);
      project (b, cos (angle + i * G_PI / 2), sin (angle + i * G_PI / 2), &b_low, &b_high);
      if (a_high <= b_low || b_high <= a_low)
        return TRUE;
    }
  return FALSE;
}

gboolean
dyno_text_box_touches (const DynoTextBox *self, const DynoTextBox *other, double inset)
{
  double reach = self->width + self->height + other->width + other->height;
  double a[4][2];
  double b[4][2];

  if (fabs (self->x - other->x) > reach || fabs (self->y - other->y) > reach)
    return FALSE;
  if (self->angle == 0 && other->angle == 0)
    return self->x < other->x + other->width && other->x < self->x + self->width &&
           self->y + inset < other->y + other->height - inset &&
           other->y + inset < self->y + self->height - inset;
  get_corners (self, inset, a);
  get_corners (other, inset, b);
  return !are_parted (a, b, self->angle) && !are_parted (a, b, other->angle);
}

void
dyno_text_set_recorder (GArray *boxes)
{
  recorder = boxes;
}
