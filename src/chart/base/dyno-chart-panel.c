/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"

/* The height of a bar with its gap, in px. */
#define ROW_HEIGHT 22.0
/* The height of title, finding and axis of a panel of bars. */
#define AROUND_ROWS 70.0
/* The width of a letter of a name beside rows, the height of a second line of it, and the share of the width for names. */
#define NAME_LETTER 6.0
#define NAME_LINE   14.0
#define NAME_SHARE  0.4
#define LINE_HEIGHT 240.0
/* More of it with a second plot. */
#define WITH_LOWER  1.5
#define GAP         14.0
#define LEAST_WIDTH 230.0
/* The minimum height of a panel that still shows something. */
#define LEAST_HEIGHT 84.0

DynoChartPanel *
dyno_chart_panel_new (void)
{
  return g_new0 (DynoChartPanel, 1);
}

void
dyno_chart_panel_free (DynoChartPanel *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self->finding);
  g_clear_object (&self->x_axis);
  g_clear_object (&self->y_axis);
  g_clear_object (&self->lower_axis);
  g_free (self);
}

const char *
dyno_chart_panel_get_title (DynoChartPanel *self)
{
  g_autofree char *along = NULL;

  if (!self->names_axis)
    return self->name;
  along = dyno_axis_dup_label (self->y_axis);
  g_free (self->title);
  /* Translators: the title of a small chart: a model, and what is shown of it */
  self->title = g_strdup_printf (_ ("%s · %s"), self->name, along);
  return self->title;
}

void
dyno_chart_panel_forget (DynoChartPanel *self)
{
  self->cell = (DynoPlot){ 0 };
  self->plot = (DynoPlot){ .x_axis = self->x_axis, .y_axis = self->y_axis };
  self->lower = (DynoPlot){ .x_axis = self->x_axis, .y_axis = self->lower_axis };
}

void
dyno_chart_panel_move (DynoChartPanel *self, double dx, double dy)
{
  self->plot.x += dx;
  self->plot.y += dy;
  self->lower.x += dx;
  self->lower.y += dy;
}

char *
dyno_chart_panel_describe (const DynoChartPanel *self, DynoSeries *series, double from, double to)
{
  static const double percents[] = { 0, 50, 100 };
  double quantiles[G_N_ELEMENTS (percents)];
  guint first, end;

  dyno_series_find_range (series, from, to, &first, &end);
  if (first >= end)
    return NULL;
  dyno_quantiles_find (dyno_series_get_y (series) + first, end - first, percents, G_N_ELEMENTS (percents),
                       quantiles);
  g_autofree char *least = dyno_axis_format (self->y_axis, quantiles[0]);
  g_autofree char *median = dyno_axis_format (self->y_axis, quantiles[1]);
  g_autofree char *most = dyno_axis_format (self->y_axis, quantiles[2]);
  /* Translators: the median of a selected part of a chart, its least and its greatest value */
  return g_strdup_printf (_ ("median %s, %s to %s"), median, least, most);
}

guint
dyno_chart_panel_count_rows (const DynoChartPanel *self)
{
  if (!DYNO_IS_CATEGORY_AXIS (self->y_axis))
    return 0;
  DynoCategoryAxis *axis = DYNO_CATEGORY_AXIS (self->y_axis);
  return dyno_category_axis_get_length (axis) * dyno_category_axis_get_n_lanes (axis);
}

gboolean
dyno_chart_panels_share_time (GPtrArray *panels)
{
  const DynoChartPanel *first = g_ptr_array_index (panels, 0);

  if (panels->len < 2 || !DYNO_IS_TIME_AXIS (first->x_axis))
    return FALSE;
  for (guint i = 1; i < panels->len; i++)
    if (((DynoChartPanel *)g_ptr_array_index (panels, i))->x_axis != first->x_axis)
      return FALSE;
  return TRUE;
}

/* The height of a line of panels is that of the highest one. */
static double
get_line_height (GPtrArray *panels, guint line, guint n_columns, double width)
{
  double highest = 0;

  for (guint i = line * n_columns; i < MIN ((line + 1) * n_columns, panels->len); i++)
    {
      const DynoChartPanel *panel = g_ptr_array_index (panels, i);
      guint n_rows = dyno_chart_panel_count_rows (panel);
      double height = panel->lower_axis != NULL ? LINE_HEIGHT * WITH_LOWER : LINE_HEIGHT;

      if (n_rows > 0)
        {
          DynoCategoryAxis *axis = DYNO_CATEGORY_AXIS (panel->y_axis);
          double row_height = ROW_HEIGHT;

          /* A long name takes a second line. */
          for (guint k = 0;
               dyno_category_axis_get_n_lanes (axis) <= 1 && k < dyno_category_axis_get_length (axis); k++)
            if (g_utf8_strlen (dyno_category_axis_get_name (axis, k), -1) * NAME_LETTER >
                width / n_columns * NAME_SHARE)
              row_height = ROW_HEIGHT + NAME_LINE;
          height = n_rows * row_height + AROUND_ROWS;
        }
      highest = MAX (highest, height);
    }
  return highest;
}

static double
sum_heights (GPtrArray *panels, guint n_columns, double width)
{
  guint n_lines = (panels->len + n_columns - 1) / n_columns;
  double height = 0;

  for (guint line = 0; line < n_lines; line++)
    height += get_line_height (panels, line, n_columns, width);
  return height + (n_lines - 1) * GAP;
}

/* Uses no more columns than the lines need: five panels are three and two, not four and one. */
static guint
level_columns (guint n_panels, guint n_columns)
{
  guint n_lines = (n_panels + n_columns - 1) / n_columns;

  return (n_panels + n_lines - 1) / n_lines;
}

static guint
count_fitting_columns (GPtrArray *panels, double width)
{
  if (dyno_chart_panels_share_time (panels))
    return 1;
  return level_columns (panels->len, (guint)CLAMP ((width + GAP) / (LEAST_WIDTH + GAP), 1, panels->len));
}

double
dyno_chart_panels_get_height (GPtrArray *panels, double width)
{
  return sum_heights (panels, count_fitting_columns (panels, width), width);
}

guint
dyno_chart_panels_layout (GPtrArray *panels, const DynoPlot *content)
{
  gboolean share_time = dyno_chart_panels_share_time (panels);
  guint n_columns = count_fitting_columns (panels, content->width);
  double share = 0;

  /* Uses more columns if the picture is too low for the best fit. */
  for (guint i = n_columns; i <= panels->len && !share_time; i++)
    {
      double across = content->width / (i * LEAST_WIDTH);
      double down = content->height / sum_heights (panels, i, content->width);

      if (MIN (across, down) <= share)
        continue;
      share = MIN (across, down);
      n_columns = i;
    }
  if (!share_time)
    n_columns = level_columns (panels->len, n_columns);
  guint n_lines = (panels->len + n_columns - 1) / n_columns;
  double width = (content->width - (n_columns - 1) * GAP) / n_columns;
  double natural = 0;
  double y = content->y;

  while (n_lines > 1 && content->height < n_lines * LEAST_HEIGHT + (n_lines - 1) * GAP)
    n_lines--;
  for (guint line = 0; line < n_lines; line++)
    natural += get_line_height (panels, line, n_columns, content->width);
  double free_height = content->height - (n_lines - 1) * GAP;
  for (guint line = 0; line < n_lines; line++)
    {
      double height = free_height * get_line_height (panels, line, n_columns, content->width) / natural;

      for (guint i = 0; i < n_columns && line * n_columns + i < panels->len; i++)
        {
          DynoChartPanel *panel = g_ptr_array_index (panels, line * n_columns + i);

          panel->cell.x = round (content->x + i * (width + GAP));
          panel->cell.y = round (y);
          panel->cell.width = floor (width);
          panel->cell.height = floor (height);
        }
      y += height + GAP;
    }
  return MIN (n_lines * n_columns, panels->len);
}
