/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-ink.h"

#define GAP      8.0
#define TICK_GAP 6.0
/* The card around the chart has its own. */
#define WINDOW_PAD       2.0
#define LABEL_SPACING    12.0
#define MIN_PLOT_HEIGHT  90.0
#define MIN_PANEL_HEIGHT 56.0
#define MIN_LABELLED     520.0
/* The minimum width in the window, where a legend would take room from the card. */
#define MIN_CARD_LABELLED 340.0
#define NAME_SHARE        0.4
/* Applies if the columns have names, too. */
#define NARROW_NAME_SHARE 0.22
#define LABELS_SHARE      0.3
/* Names of columns are broken into at most this many lines, on at most this share of the height. */
#define MAX_NAME_LINES 5
#define COLUMNS_SHARE  0.25
/* The maximum number of ticks to try while fewer give only one label. */
#define MAX_TRIED_TICKS 4
/* The minimum distance of rows, in line heights. */
#define ROW_SHARE    0.93
#define LANE_SHARE   0.85
#define LANE_GAP     0.35
#define LEGEND_SHARE 0.28
/* The minimum width of the plot when words are beside its rows. */
#define LEAST_BESIDE 170.0
/* The share of the height for the lower of two plots. */
#define LOWER_SHARE      0.36
#define MIN_LOWER_HEIGHT 34.0

static double
measure_paragraph (const char *string,
                   DynoTextSize size,
                   double max_width,
                   guint n_lines,
                   cairo_t *cr,
                   const DynoChartStyle *style)
{
  DynoText text = { .text = string, .size = size, .width = max_width, .n_lines = n_lines };
  double width, height;

  if (string == NULL || *string == '\0' || n_lines == 0)
    return 0;
  dyno_text_measure (&text, cr, style, &width, &height);
  return height;
}

static double
label_width (const char *label, double max_width, guint n_lines, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText text = { .text = label, .size = DYNO_TEXT_SMALL, .width = max_width, .n_lines = n_lines };
  double width, height;

  dyno_text_measure (&text, cr, style, &width, &height);
  return width;
}

static gboolean
has_rows (DynoChartFrame *frame)
{
  return DYNO_IS_CATEGORY_AXIS (frame->plot.y_axis);
}

/* Returns the maximum width of the row names; 0 for numbers, which get all the room they need. */
static double
get_name_room (DynoChartFrame *frame)
{
  if (!has_rows (frame))
    return 0;
  return frame->width * (DYNO_IS_CATEGORY_AXIS (frame->plot.x_axis) ? NARROW_NAME_SHARE : NAME_SHARE);
}

static DynoTextSize
get_title_size (DynoChartFrame *frame)
{
  return frame->role == DYNO_CHART_FRAME_PANEL ? DYNO_TEXT_BOLD : DYNO_TEXT_TITLE;
}

static DynoTextSize
get_finding_size (DynoChartFrame *frame)
{
  return frame->role == DYNO_CHART_FRAME_PANEL ? DYNO_TEXT_SMALL : DYNO_TEXT_NORMAL;
}

/* The title of a panel may already name the y axis. */
static gboolean
has_y_title (DynoChartFrame *frame)
{
  if (frame->role == DYNO_CHART_FRAME_AROUND || has_rows (frame) || frame->titles_share_line)
    return FALSE;
  return frame->role == DYNO_CHART_FRAME_WHOLE ||
         (frame->with_y_title &&
          (frame->title == NULL || strstr (frame->title, dyno_axis_get_title (frame->plot.y_axis)) == NULL));
}

static char *
dup_y_title (DynoAxis *axis)
{
  g_autofree char *label = dyno_axis_dup_label (axis);

  /* Translators: the title of an axis that goes upwards */
  return g_strdup_printf (_ ("↑ %s"), label);
}

static char *
dup_x_title (DynoAxis *axis)
{
  g_autofree char *label = dyno_axis_dup_label (axis);

  /* Translators: the title of an axis that goes to the right */
  return g_strdup_printf (_ ("%s →"), label);
}

/* In the window, the finding of a panel stands at the end of its title's line, if that is long enough. */
static gboolean
joins_title (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText title = { .text = frame->title, .size = get_title_size (frame) };
  double width, height;

  if (style->with_title || frame->role != DYNO_CHART_FRAME_PANEL || !frame->with_title ||
      frame->title == NULL || frame->finding == NULL)
    return FALSE;
  dyno_text_measure (&title, cr, style, &width, &height);
  return width + LABEL_SPACING + label_width (frame->finding, 0, 0, cr, style) <=
         frame->width - 2 * frame->pad;
}

/* Distributes the height, with the given numbers of lines for the words. */
static void
layout_rows (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  const double inner = frame->width - 2 * frame->pad;
  double small = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
  double top = frame->pad;
  double bottom = frame->height - frame->pad;

  if (frame->with_title)
    top += measure_paragraph (frame->title, get_title_size (frame), inner, 1, cr, style) + 2;
  frame->finding_y = top;
  if (joins_title (frame, cr, style))
    frame->finding_y = frame->pad;
  else
    top += measure_paragraph (frame->finding, get_finding_size (frame), inner, frame->n_finding_lines, cr,
                              style);
  top += top > frame->pad ? GAP : 0;
  frame->legend_y = top;
  top += frame->legend_height > 0 ? frame->legend_height + GAP : 0;
  frame->y_title_y = top;
  /* The highest tick may be at the upper edge. */
  if (has_y_title (frame))
    top += round (small * 1.5) + 2;
  else if (frame->titles_share_line)
    top += round (small / 2);
  bottom -= measure_paragraph (frame->caption, DYNO_TEXT_SMALL, inner, frame->n_caption_lines, cr, style);
  frame->caption_y = bottom;
  bottom -= measure_paragraph (frame->note, DYNO_TEXT_SMALL, inner, frame->n_note_lines, cr, style);
  frame->note_y = bottom;
  bottom -= frame->caption_y > frame->note_y || frame->n_caption_lines > 0 ? GAP : 0;
  if (frame->is_above)
    bottom -= 1;
  else if (frame->role != DYNO_CHART_FRAME_AROUND)
    {
      bottom -= frame->with_x_title ? small : 0;
      frame->x_title_y = bottom;
      bottom -= small * MAX (frame->n_name_lines, 1) + TICK_GAP;
    }
  frame->plot.y = round (top);
  frame->plot.height = MAX (round (bottom) - frame->plot.y, 1);
}

static gboolean
give_way (DynoChartFrame *frame)
{
  if (frame->n_caption_lines > 0)
    frame->n_caption_lines--;
  else if (frame->n_finding_lines > 0)
    frame->n_finding_lines--;
  else if (frame->n_note_lines > 1)
    frame->n_note_lines--;
  else if (frame->legend_height > 0)
    frame->legend_height = MAX (frame->legend_height - MAX (frame->legend_row, 1), 0);
  else if (frame->role == DYNO_CHART_FRAME_PANEL && frame->with_x_title)
    frame->with_x_title = FALSE;
  else if (frame->role == DYNO_CHART_FRAME_PANEL && frame->with_y_title)
    frame->with_y_title = FALSE;
  else if (frame->n_note_lines > 0)
    frame->n_note_lines = 0;
  else if (frame->with_title && frame->role != DYNO_CHART_FRAME_PANEL)
    frame->with_title = FALSE;
  else
    return FALSE;
  return TRUE;
}

/* Drops caption, finding, legend and title, in this order, until the plot is high enough. A panel keeps its
 * title, because only that distinguishes it from the others. */
static void
layout_height (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  gboolean is_panel = frame->role == DYNO_CHART_FRAME_PANEL;

  frame->with_title = style->with_title || is_panel;
  frame->with_x_title = !frame->is_above;
  frame->with_y_title = TRUE;
  frame->n_finding_lines = is_panel ? 1 : style->with_title ? 2 : 0;
  frame->n_note_lines = frame->note != NULL && style->with_title ? DYNO_CHART_MAX_NOTE_LINES : 0;
  frame->titles_share_line = FALSE;
  /* In the window, both axes have their titles in the line below the plot, if it is long enough. */
  if (!style->with_title && frame->role == DYNO_CHART_FRAME_WHOLE && !has_rows (frame) &&
      frame->lower.y_axis == NULL)
    {
      g_autofree char *up = dup_y_title (frame->plot.y_axis);
      g_autofree char *along = dup_x_title (frame->plot.x_axis);

      frame->titles_share_line =
          label_width (up, 0, 0, cr, style) + label_width (along, 0, 0, cr, style) + LABEL_SPACING <=
          frame->width - 2 * frame->pad;
    }
  frame->n_caption_lines = style->with_title && !is_panel ? 4 : 0;
  layout_rows (frame, cr, style);
  while (frame->plot.height < (frame->role == DYNO_CHART_FRAME_AROUND  ? DYNO_CHART_MIN_PANELS_HEIGHT
                               : frame->role == DYNO_CHART_FRAME_PANEL ? MIN_PANEL_HEIGHT
                                                                       : MIN_PLOT_HEIGHT) &&
         give_way (frame))
    layout_rows (frame, cr, style);
}

/* A decade without a label is hard to read, so logarithmic axes may have more ticks. A single label shows no
 * scale, so there are two even with little room. */
static GArray *
list_y_ticks (const DynoPlot *plot, double line_height)
{
  double distance = line_height * (DYNO_IS_LOG_AXIS (plot->y_axis) ? 1.6 : 2.6);
  guint n_wanted = (guint)CLAMP (plot->height / distance, 2, 10);
  GArray *ticks = dyno_axis_list_ticks (plot->y_axis, n_wanted);

  while (DYNO_IS_LINEAR_AXIS (plot->y_axis) && dyno_axis_count_labels (ticks) < 2 &&
         n_wanted++ < MAX_TRIED_TICKS)
    {
      g_array_unref (ticks);
      ticks = dyno_axis_list_ticks (plot->y_axis, n_wanted);
    }
  return ticks;
}

static double
measure_ticks (GArray *ticks, double max_width, guint n_lines, cairo_t *cr, const DynoChartStyle *style)
{
  double widest = 0;

  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      if (tick->label != NULL)
        widest = MAX (widest, label_width (tick->label, max_width, n_lines, cr, style));
    }
  return widest;
}

static void
layout_left (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  double line_height = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
  double max_width = get_name_room (frame);

  frame->n_row_lines = 0;
  if (has_rows (frame))
    {
      /* Shows as many rows as fit; panning reveals the others. */
      DynoAxis *axis = frame->plot.y_axis;
      guint n_rows = dyno_category_axis_get_length (DYNO_CATEGORY_AXIS (axis));
      guint n_lanes = dyno_category_axis_get_n_lanes (DYNO_CATEGORY_AXIS (axis));
      const char *longest = "";
      /* A shortened name may lose its distinguishing part, so long names get two lines. Measuring each of many
       * names would be slow. */
      for (guint i = 0; n_lanes <= 1 && i < n_rows; i++)
        if (strlen (dyno_category_axis_get_name (DYNO_CATEGORY_AXIS (axis), i)) > strlen (longest))
          longest = dyno_category_axis_get_name (DYNO_CATEGORY_AXIS (axis), i);
      guint n_lines = n_lanes <= 1 && label_width (longest, 0, 0, cr, style) > max_width ? 2 : 1;
      double row_height = line_height * (n_lanes > 1 ? n_lanes * LANE_SHARE + LANE_GAP : ROW_SHARE);
      double high_row = row_height + (n_lines - 1) * line_height;
      guint n_fitting = CLAMP ((guint)(frame->plot.height / row_height), 1, MAX (n_rows, 1));
      double low, high;

      /* A hidden row is worse than a shortened name. */
      if (n_fitting < n_rows)
        n_fitting = MAX ((guint)(frame->plot.height / high_row), 1);
      dyno_axis_get_visible (axis, &low, &high);
      dyno_axis_set_home (axis, -0.5, n_fitting - 0.5);
      dyno_axis_set_visible (axis, low, low + n_fitting);
      /* A name may take as many lines as fit into a high row; if only one does, the name is shortened. */
      dyno_axis_get_visible (axis, &low, &high);
      guint n_in_row = (guint)(frame->plot.height / MAX (high - low, 1) / line_height + 1 - ROW_SHARE);
      frame->n_row_lines = n_in_row > 1 ? n_in_row : 0;
    }
  frame->y_ticks = list_y_ticks (&frame->plot, line_height);
  double widest = measure_ticks (frame->y_ticks, max_width, frame->n_row_lines, cr, style);
  if (frame->lower.height > 0)
    {
      frame->lower_ticks = list_y_ticks (&frame->lower, line_height);
      widest = MAX (widest, measure_ticks (frame->lower_ticks, max_width, 0, cr, style));
    }
  frame->plot.x = frame->lower.x = ceil (frame->pad + widest + TICK_GAP);
}

static gboolean
ticks_collide (DynoChartFrame *frame, GArray *ticks, cairo_t *cr, const DynoChartStyle *style)
{
  double limit = -INFINITY;

  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      if (tick->label == NULL)
        continue;
      double middle = dyno_plot_get_x (&frame->plot, tick->value);
      double width = label_width (tick->label, 0, 0, cr, style);
      if (middle - width / 2 < limit)
        return TRUE;
      limit = middle + width / 2 + LABEL_SPACING;
    }
  return FALSE;
}

/* Names of columns get the width of their column; numbers get all the room they need. */
static double
get_x_label_room (DynoChartFrame *frame)
{
  DynoAxis *axis = frame->plot.x_axis;

  if (!DYNO_IS_CATEGORY_AXIS (axis))
    return 0;
  return frame->plot.width / MAX (dyno_category_axis_get_length (DYNO_CATEGORY_AXIS (axis)), 1) -
         LABEL_SPACING / 2;
}

static void
layout_plot (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  dyno_chart_frame_clear (frame);
  layout_height (frame, cr, style);

  /* Splits the plot in two if there is a second panel and room for it. */
  double title_height = round (dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style) * 1.5) + 2;
  double height = round (frame->plot.height * LOWER_SHARE - title_height);
  frame->lower.height = 0;
  if (frame->lower.y_axis != NULL && height >= MIN_LOWER_HEIGHT)
    {
      frame->lower.height = height;
      frame->lower.y = frame->plot.y + frame->plot.height - height;
      frame->lower_title_y = frame->lower.y - title_height;
      frame->plot.height = frame->lower_title_y - GAP - frame->plot.y;
    }

  layout_left (frame, cr, style);

  /* The longest words beside the rows that leave the plot wide enough. */
  frame->plot.aside = 0;
  for (guint i = 0; i < DYNO_CHART_FRAME_N_ASIDES && frame->plot.aside == 0; i++)
    if (frame->width - 2 * frame->pad - frame->plot.x - frame->aside[i] >= LEAST_BESIDE)
      frame->plot.aside = frame->aside[i];
  double edge = style->with_title ? GAP + 10 : GAP;
  double room = MAX (frame->labels_width > 0 ? frame->labels_width : edge, frame->plot.aside);
  frame->plot.width = MAX (floor (frame->width - frame->pad - room - frame->plot.x), 1);
  frame->lower.width = frame->plot.width;

  guint n_wanted =
      (guint)CLAMP (frame->plot.width / (frame->role == DYNO_CHART_FRAME_PANEL ? 40 : 70), 2, 12);
  frame->x_ticks = dyno_axis_list_ticks (frame->plot.x_axis, n_wanted);
  while (n_wanted > 2 && ticks_collide (frame, frame->x_ticks, cr, style))
    {
      g_array_unref (frame->x_ticks);
      frame->x_ticks = dyno_axis_list_ticks (frame->plot.x_axis, --n_wanted);
    }
}

static void
choose_legend (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  double line_height = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
  guint n_visible = 0;

  for (guint i = 0; frame->series != NULL && i < frame->series->len; i++)
    n_visible += dyno_series_get_visible (g_ptr_array_index (frame->series, i));

  if (n_visible < 2)
    return;
  double least_width = style->with_title ? MIN_LABELLED : MIN_CARD_LABELLED;
  if (frame->role == DYNO_CHART_FRAME_WHOLE && frame->labels_lines && frame->width >= least_width)
    {
      double wanted = dyno_chart_legend_measure_labels (frame->series, cr, style);
      double room = floor (frame->width * LABELS_SHARE);

      /* In the window, long names take two lines before a legend takes room from the card. */
      if (n_visible * (wanted > room ? 2 : 1) * line_height < frame->height * 0.5 &&
          (wanted <= room || !style->with_title))
        {
          frame->labels_width = MIN (ceil (wanted), room);
          return;
        }
    }
  if (!style->with_title)
    return;
  frame->legend_row = dyno_chart_legend_measure (frame->series, cr, style, frame->width - 2 * frame->pad, 0);
  frame->legend_height = dyno_chart_legend_measure (frame->series, cr, style, frame->width - 2 * frame->pad,
                                                    frame->height * LEGEND_SHARE);
}

void
dyno_chart_frame_layout (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  double tallest = 0;

  if (frame->role == DYNO_CHART_FRAME_PANEL)
    frame->pad = 0;
  else
    frame->pad = !style->with_title ? WINDOW_PAD : frame->width < 420 ? 8 : 14;
  choose_legend (frame, cr, style);
  if (frame->role == DYNO_CHART_FRAME_AROUND)
    {
      layout_height (frame, cr, style);
      frame->plot.x = frame->pad;
      frame->plot.width = frame->width - 2 * frame->pad;
      return;
    }
  layout_plot (frame, cr, style);

  double line_height = dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
  guint most = (guint)CLAMP (frame->height * COLUMNS_SHARE / line_height, 1, MAX_NAME_LINES);
  double room = get_x_label_room (frame);
  for (guint i = 0; room > 0 && i < frame->x_ticks->len; i++)
    tallest = MAX (tallest, measure_paragraph (g_array_index (frame->x_ticks, DynoTick, i).label,
                                               DYNO_TEXT_SMALL, room, most, cr, style));
  frame->n_name_lines = (guint)round (tallest / line_height);
  if (frame->n_name_lines > 1)
    layout_plot (frame, cr, style);
}

static void
fill_line (cairo_t *cr, double x, double y, double width, double height)
{
  cairo_rectangle (cr, round (x), round (y), width, height);
  cairo_fill (cr);
}

static void
draw_y_grid (const DynoPlot *plot, GArray *ticks, cairo_t *cr, const DynoChartStyle *style)
{
  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      dyno_ink_set_faded (cr, &style->grid, tick->minor ? 0.5 : 1);
      fill_line (cr, plot->x, dyno_plot_get_y (plot, tick->value), plot->width, 1);
    }
}

static void
draw_x_grid (DynoChartFrame *frame, const DynoPlot *plot, cairo_t *cr, const DynoChartStyle *style)
{
  for (guint i = 0; i < frame->x_ticks->len && !DYNO_IS_CATEGORY_AXIS (plot->x_axis); i++)
    {
      const DynoTick *tick = &g_array_index (frame->x_ticks, DynoTick, i);

      dyno_ink_set_faded (cr, &style->grid, tick->minor ? 0.4 : has_rows (frame) ? 1 : 0.6);
      fill_line (cr, dyno_plot_get_x (plot, tick->value), plot->y, 1, plot->height);
    }
}

void
dyno_chart_frame_draw_grid (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  if (!has_rows (frame))
    draw_y_grid (&frame->plot, frame->y_ticks, cr, style);
  draw_x_grid (frame, &frame->plot, cr, style);
  if (frame->lower.height > 0)
    {
      draw_y_grid (&frame->lower, frame->lower_ticks, cr, style);
      draw_x_grid (frame, &frame->lower, cr, style);
    }
}

static void
draw_y_labels (
    DynoChartFrame *frame, const DynoPlot *plot, GArray *ticks, cairo_t *cr, const DynoChartStyle *style)
{
  for (guint i = 0; i < ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (ticks, DynoTick, i);
      DynoText text = { .text = tick->label, .size = DYNO_TEXT_SMALL, .align_x = 1, .align_y = 0.5 };

      if (tick->label == NULL)
        continue;
      text.color = has_rows (frame) ? &style->foreground : &style->dim;
      text.x = plot->x - TICK_GAP;
      text.y = dyno_plot_get_y (plot, tick->value);
      text.width = get_name_room (frame);
      text.n_lines = frame->n_row_lines;
      dyno_text_draw (&text, cr, style);
    }
}

static double
get_bottom (DynoChartFrame *frame)
{
  const DynoPlot *lowest = frame->lower.height > 0 ? &frame->lower : &frame->plot;

  return lowest->y + lowest->height;
}

/* Moves labels at the edges inwards; leaves out a label that would touch the one before. */
static void
draw_x_labels (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  double limit = 0;

  for (guint i = 0; i < frame->x_ticks->len; i++)
    {
      const DynoTick *tick = &g_array_index (frame->x_ticks, DynoTick, i);
      DynoText text = { .text = tick->label, .size = DYNO_TEXT_SMALL, .color = &style->dim, .align_x = 0.5 };

      if (tick->label == NULL)
        continue;
      text.width = get_x_label_room (frame);
      text.n_lines = frame->n_name_lines;
      double width = label_width (tick->label, text.width, text.n_lines, cr, style);
      text.x = dyno_plot_get_x (&frame->plot, tick->value);
      text.x = MIN (text.x, frame->width - width / 2 - 2);
      text.y = get_bottom (frame) + TICK_GAP;
      if (text.x - width / 2 < limit)
        continue;
      dyno_text_draw (&text, cr, style);
      limit = text.x + width / 2 + LABEL_SPACING / 2;
    }
}

static void
draw_y_title (DynoChartFrame *frame, DynoAxis *axis, double y, cairo_t *cr, const DynoChartStyle *style)
{
  g_autofree char *title = dyno_axis_dup_label (axis);
  DynoText text = { .text = title, .size = DYNO_TEXT_SMALL, .color = &style->dim };

  text.x = frame->pad;
  text.y = y;
  text.width = frame->width - 2 * frame->pad;
  dyno_text_draw (&text, cr, style);
}

static void
draw_hidden_rows (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText text = { .size = DYNO_TEXT_SMALL, .color = &style->dim, .x = frame->pad };
  double low, high;
  guint n_hidden;

  dyno_axis_get_visible (frame->plot.y_axis, &low, &high);
  n_hidden =
      dyno_category_axis_get_length (DYNO_CATEGORY_AXIS (frame->plot.y_axis)) - (guint)round (high - low);
  if (n_hidden == 0)
    return;
  g_autofree char *note = g_strdup_printf (ngettext ("%u more row", "%u more rows", n_hidden), n_hidden);
  text.text = note;
  text.y = frame->plot.y + frame->plot.height + TICK_GAP;
  text.width = frame->plot.x - frame->pad - LABEL_SPACING;
  if (text.width > 0)
    dyno_text_draw (&text, cr, style);
}

void
dyno_chart_frame_draw_axes (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  const DynoPlot *plot = &frame->plot;

  dyno_ink_set_faded (cr, &style->dim, style->high_contrast ? 1 : 0.7);
  if (has_rows (frame))
    fill_line (cr, plot->x - 1, plot->y, 1, plot->height);
  else
    fill_line (cr, plot->x, plot->y + plot->height, plot->width, 1);
  if (frame->lower.height > 0)
    fill_line (cr, plot->x, get_bottom (frame), plot->width, 1);
  draw_y_labels (frame, plot, frame->y_ticks, cr, style);
  if (!frame->is_above)
    draw_x_labels (frame, cr, style);
  if (frame->titles_share_line)
    {
      g_autofree char *up = dup_y_title (plot->y_axis);
      g_autofree char *along = dup_x_title (plot->x_axis);
      DynoText text = { .text = up, .size = DYNO_TEXT_SMALL, .color = &style->dim };

      text.x = frame->pad;
      text.y = frame->x_title_y;
      dyno_text_draw (&text, cr, style);
      text.text = along;
      text.x = frame->width - frame->pad;
      text.align_x = 1;
      dyno_text_draw (&text, cr, style);
    }
  else if (frame->with_x_title)
    {
      g_autofree char *title = dyno_axis_dup_label (frame->plot.x_axis);
      DynoText text = { .text = title, .size = DYNO_TEXT_SMALL, .color = &style->dim, .align_x = 0.5 };

      text.x = frame->plot.x + frame->plot.width / 2;
      text.y = frame->x_title_y;
      text.width = frame->plot.width;
      dyno_text_draw (&text, cr, style);
    }
  if (has_rows (frame))
    draw_hidden_rows (frame, cr, style);
  if (has_y_title (frame))
    draw_y_title (frame, plot->y_axis, frame->y_title_y, cr, style);
  if (frame->lower.height > 0)
    {
      draw_y_labels (frame, &frame->lower, frame->lower_ticks, cr, style);
      draw_y_title (frame, frame->lower.y_axis, frame->lower_title_y, cr, style);
    }
}

static void
draw_paragraph (DynoChartFrame *frame, const DynoText *words, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText text = *words;

  text.x = frame->pad;
  text.width = frame->width - 2 * frame->pad;
  if (text.text != NULL && *text.text != '\0')
    dyno_text_draw (&text, cr, style);
}

void
dyno_chart_frame_draw_words (DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText title = { .text = frame->title, .size = get_title_size (frame), .y = frame->pad, .n_lines = 1 };
  DynoText finding = { .text = frame->finding, .n_lines = frame->n_finding_lines, .color = &style->dim };
  DynoText caption = { .text = frame->caption, .size = DYNO_TEXT_SMALL, .color = &style->dim };
  DynoText note = { .text = frame->note, .size = DYNO_TEXT_SMALL, .color = &style->dim };

  finding.size = get_finding_size (frame);
  finding.y = frame->finding_y;
  caption.y = frame->caption_y;
  caption.n_lines = frame->n_caption_lines;
  note.y = frame->note_y;
  note.n_lines = frame->n_note_lines;
  if (frame->with_title)
    draw_paragraph (frame, &title, cr, style);
  if (frame->n_finding_lines > 0 && joins_title (frame, cr, style))
    {
      finding.x = frame->width - frame->pad;
      finding.align_x = 1;
      dyno_text_draw (&finding, cr, style);
    }
  else if (frame->n_finding_lines > 0)
    draw_paragraph (frame, &finding, cr, style);
  if (frame->n_caption_lines > 0)
    draw_paragraph (frame, &caption, cr, style);
  if (frame->n_note_lines > 0)
    draw_paragraph (frame, &note, cr, style);
  if (frame->legend_height > 0)
    dyno_chart_legend_draw (frame->series, cr, style, frame->pad, frame->legend_y,
                            frame->width - 2 * frame->pad, frame->legend_height);
  if (frame->labels_width > 0)
    dyno_chart_legend_draw_labels (frame->series, cr, &frame->plot, style,
                                   frame->labels_width + frame->pad - 2);
}

void
dyno_chart_frame_draw_left_out (DynoChartFrame *frame,
                                guint n_left_out,
                                cairo_t *cr,
                                const DynoChartStyle *style)
{
  g_autofree char *note = g_strdup_printf (
      ngettext ("%u more: enlarge the chart to see it", "%u more: enlarge the chart to see them", n_left_out),
      n_left_out);
  DynoText text = {
    .text = note, .size = DYNO_TEXT_SMALL, .color = &style->dim, .align_x = 1, .align_y = 1, .halo = TRUE
  };

  text.x = frame->width - frame->pad;
  text.y = frame->plot.y + frame->plot.height;
  if (n_left_out > 0)
    dyno_text_draw (&text, cr, style);
}

void
dyno_chart_frame_draw_message (DynoChartFrame *frame,
                               const char *message,
                               cairo_t *cr,
                               const DynoChartStyle *style)
{
  DynoText title = { .text = frame->title, .size = DYNO_TEXT_TITLE };
  DynoText text = { .text = message, .color = &style->dim, .align_x = 0.5, .align_y = 0.5, .n_lines = 7 };
  double width, height;

  frame->pad = 14;
  title.y = frame->pad;
  if (style->with_title)
    draw_paragraph (frame, &title, cr, style);
  text.width = frame->width - 4 * frame->pad;
  dyno_text_measure (&text, cr, style, &width, &height);
  text.width = MIN (width + 1, text.width);
  text.x = frame->width / 2;
  text.y = frame->height / 2;
  dyno_text_draw (&text, cr, style);
}

void
dyno_chart_frame_clear (DynoChartFrame *frame)
{
  g_clear_pointer (&frame->x_ticks, g_array_unref);
  g_clear_pointer (&frame->y_ticks, g_array_unref);
  g_clear_pointer (&frame->lower_ticks, g_array_unref);
}
