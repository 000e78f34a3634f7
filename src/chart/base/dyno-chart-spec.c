/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-json.h"

/* The size of a chart with one panel, in px, and the maximum length of a title above it, in bytes. */
#define WIDTH       640
#define LINE_LENGTH 110

/* Bars and the like are in rows: the x of their series is the row, whose name is on the y axis. */
static gboolean
has_rows (const DynoChartPart *part)
{
  return DYNO_IS_CATEGORY_AXIS (part->y_axis) && !DYNO_IS_CATEGORY_AXIS (part->x_axis);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text != NULL ? text : "");
}

static void
add_number (JsonBuilder *builder, const char *name, double number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, number);
}

static void
add_place (JsonBuilder *builder, const char *name, DynoAxis *axis, double value)
{
  guint row = (guint)MAX (lround (value), 0);

  if (DYNO_IS_CATEGORY_AXIS (axis) && row < dyno_category_axis_get_length (DYNO_CATEGORY_AXIS (axis)))
    add_text (builder, name, dyno_category_axis_get_name (DYNO_CATEGORY_AXIS (axis), row));
  else
    add_number (builder, name, value);
}

static const char *const doubts[] = {
  [DYNO_DOUBT_NONE] = "none",
  [DYNO_DOUBT_IMPORTED] = "imported",
  [DYNO_DOUBT_DOUBTFUL] = "doubtful",
  [DYNO_DOUBT_UNSTEADY] = "unsteady",
};

/* Returns the mark type of Vega-Lite. */
static const char *
get_mark (const DynoChartPart *part)
{
  if (DYNO_IS_CATEGORY_AXIS (part->x_axis))
    return "rect";
  switch (dyno_series_get_mark (part->series))
    {
    case DYNO_MARK_BAR:
    case DYNO_MARK_HATCH:
      return "bar";
    case DYNO_MARK_LINE:
    case DYNO_MARK_DASH:
    case DYNO_MARK_GUIDE:
      return "line";
    case DYNO_MARK_DOT:
    case DYNO_MARK_LIMIT:
    case DYNO_MARK_DASHED_LIMIT:
    case DYNO_MARK_VERDICT:
    default:
      return "point";
    }
}

static void
add_points (JsonBuilder *builder, const char *name, GArray *parts)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < parts->len; i++)
    {
      const DynoChartPart *part = &g_array_index (parts, DynoChartPart, i);

      for (guint k = 0; k < dyno_series_get_length (part->series); k++)
        {
          double low, high;

          json_builder_begin_object (builder);
          add_text (builder, "panel", part->panel);
          add_text (builder, "series", dyno_series_get_name (part->series));
          add_text (builder, "mark", get_mark (part));
          add_place (builder, "x", has_rows (part) ? part->y_axis : part->x_axis,
                     dyno_series_get_x (part->series)[k]);
          if (!dyno_series_get_off_scale (part->series))
            add_place (builder, "y", has_rows (part) ? part->x_axis : part->y_axis,
                       dyno_series_get_y (part->series)[k]);
          if (dyno_series_get_band (part->series, k, &low, &high))
            {
              add_number (builder, "low", low);
              add_number (builder, "high", high);
            }
          if (dyno_series_get_label (part->series, k) != NULL)
            add_text (builder, "label", dyno_series_get_label (part->series, k));
          if (dyno_series_get_text (part->series, k) != NULL)
            add_text (builder, "text", dyno_series_get_text (part->series, k));
          add_text (builder, "doubt", doubts[dyno_series_get_doubt (part->series, k)]);
          json_builder_end_object (builder);
        }
    }
  json_builder_end_array (builder);
}

static char *
finish (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);

  return dyno_json_text_write (root, TRUE);
}

static void
add_axis (JsonBuilder *builder, const char *name, DynoAxis *axis)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  add_text (builder, "title", dyno_axis_get_title (axis));
  add_text (builder, "unit", dyno_axis_get_unit (axis));
  json_builder_end_object (builder);
}

/**
 * dyno_chart_spec_dup_json:
 * @chart: a chart
 *
 * Writes its texts (`title`, `finding`, `note`, `caption`), its axes `x` and `y` with titles and units,
 * `points` (each with its `panel` and `series`, its `mark` (`bar`, `line`, `point` or `rect`), `x` and `y` in
 * these units or as the name of a row (no `y` where it has none), the ends `low` and `high` of its interval,
 * `label`, `text`, and `doubt`: `none`, `imported`, `doubtful` or `unsteady`), and `table`: rows of texts,
 * the headings first.
 *
 * Returns: (transfer full): JSON
 */
char *
dyno_chart_spec_dup_json (DynoChart *chart)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GArray) parts = dyno_chart_list_parts (chart);
  GPtrArray *rows = dyno_chart_get_table (chart);

  json_builder_begin_object (builder);
  add_text (builder, "title", dyno_chart_get_title (chart));
  add_text (builder, "finding", dyno_chart_get_finding (chart));
  add_text (builder, "note", dyno_chart_get_note (chart));
  add_text (builder, "caption", dyno_chart_get_caption (chart));
  if (parts->len > 0)
    {
      const DynoChartPart *first = &g_array_index (parts, DynoChartPart, 0);

      add_axis (builder, "x", has_rows (first) ? first->y_axis : first->x_axis);
      add_axis (builder, "y", has_rows (first) ? first->x_axis : first->y_axis);
    }
  add_points (builder, "points", parts);
  json_builder_set_member_name (builder, "table");
  json_builder_begin_array (builder);
  for (guint i = 0; i < rows->len; i++)
    {
      json_builder_begin_array (builder);
      for (char **cell = g_ptr_array_index (rows, i); *cell != NULL; cell++)
        json_builder_add_string_value (builder, *cell);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return finish (builder);
}

/* Vega-Lite */

static void
begin_object (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

static void
add_channel (JsonBuilder *builder, const char *channel, const char *field, DynoAxis *axis)
{
  const char *title = dyno_axis_get_title (axis);
  const char *unit = dyno_axis_get_unit (axis);
  gboolean has_unit = !DYNO_IS_CATEGORY_AXIS (axis) && unit != NULL && *unit != '\0';
  g_autofree char *text = has_unit ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);

  begin_object (builder, channel);
  add_text (builder, "field", field);
  add_text (builder, "type", DYNO_IS_CATEGORY_AXIS (axis) ? "nominal" : "quantitative");
  add_text (builder, "title", text != NULL ? text : "");
  if (DYNO_IS_CATEGORY_AXIS (axis))
    {
      /* Keeps the order of the rows. */
      json_builder_set_member_name (builder, "sort");
      json_builder_add_null_value (builder);
    }
  if (DYNO_IS_LOG_AXIS (axis))
    {
      begin_object (builder, "scale");
      add_text (builder, "type", "log");
      if (dyno_axis_get_turned (axis))
        {
          json_builder_set_member_name (builder, "reverse");
          json_builder_add_boolean_value (builder, TRUE);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

static void
add_colour (JsonBuilder *builder)
{
  begin_object (builder, "color");
  add_text (builder, "field", "series");
  add_text (builder, "type", "nominal");
  json_builder_end_object (builder);
}

static void
add_filter (JsonBuilder *builder, const char *expression)
{
  json_builder_set_member_name (builder, "transform");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  add_text (builder, "filter", expression);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

/* Adds a layer for all series that have the mark of @part. */
static void
add_mark_layer (JsonBuilder *builder, const DynoChartPart *part)
{
  gboolean rows = has_rows (part);
  g_autofree char *filter = g_strdup_printf ("datum.mark === '%s'", get_mark (part));

  json_builder_begin_object (builder);
  add_filter (builder, filter);
  begin_object (builder, "mark");
  add_text (builder, "type", get_mark (part));
  json_builder_set_member_name (builder, "tooltip");
  json_builder_add_boolean_value (builder, TRUE);
  if (g_str_equal (get_mark (part), "line"))
    {
      json_builder_set_member_name (builder, "point");
      json_builder_add_boolean_value (builder, TRUE);
    }
  json_builder_end_object (builder);
  begin_object (builder, "encoding");
  add_channel (builder, "x", rows ? "y" : "x", part->x_axis);
  add_channel (builder, "y", rows ? "x" : "y", part->y_axis);
  add_colour (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

/* Adds the content of each panel: a layer for each kind of mark. */
static void
add_layers (JsonBuilder *builder, GArray *parts)
{
  const DynoChartPart *first = &g_array_index (parts, DynoChartPart, 0);
  g_autoptr (GHashTable) marks = g_hash_table_new (g_str_hash, g_str_equal);

  json_builder_set_member_name (builder, "layer");
  json_builder_begin_array (builder);
  for (guint i = 0; i < parts->len; i++)
    {
      const DynoChartPart *part = &g_array_index (parts, DynoChartPart, i);

      if (g_hash_table_add (marks, (gpointer)get_mark (part)))
        add_mark_layer (builder, part);
    }
  if (!DYNO_IS_CATEGORY_AXIS (first->x_axis))
    {
      gboolean rows = has_rows (first);

      json_builder_begin_object (builder);
      add_filter (builder, "isValid(datum.low)");
      add_text (builder, "mark", "rule");
      begin_object (builder, "encoding");
      add_channel (builder, "x", rows ? "low" : "x", first->x_axis);
      add_channel (builder, "y", rows ? "x" : "low", first->y_axis);
      begin_object (builder, rows ? "x2" : "y2");
      add_text (builder, "field", "high");
      json_builder_end_object (builder);
      add_colour (builder);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_panels (JsonBuilder *builder, GArray *parts)
{
  static const char *const axes[] = { "x", "y" };

  begin_object (builder, "facet");
  add_text (builder, "field", "panel");
  add_text (builder, "type", "nominal");
  json_builder_set_member_name (builder, "title");
  json_builder_add_null_value (builder);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "columns");
  json_builder_add_int_value (builder, 2);
  begin_object (builder, "spec");
  add_layers (builder, parts);
  json_builder_end_object (builder);
  begin_object (builder, "resolve");
  begin_object (builder, "scale");
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    add_text (builder, axes[i], "independent");
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

char *
dyno_chart_spec_dup_vega_lite (DynoChart *chart)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GArray) parts = dyno_chart_list_parts (chart);
  const char *finding = dyno_chart_get_finding (chart);
  g_auto (GStrv) words = g_strsplit (finding != NULL ? finding : "", " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  json_builder_begin_object (builder);
  add_text (builder, "$schema", "https://vega.github.io/schema/vega-lite/v5.json");
  begin_object (builder, "title");
  add_text (builder, "text", dyno_chart_get_title (chart));
  /* Splits the text, because Vega does not wrap lines. */
  json_builder_set_member_name (builder, "subtitle");
  json_builder_begin_array (builder);
  for (char **word = words; *word != NULL; word++)
    {
      if (line->len > 0 && line->len + strlen (*word) >= LINE_LENGTH)
        {
          json_builder_add_string_value (builder, line->str);
          g_string_truncate (line, 0);
        }
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", *word);
    }
  json_builder_add_string_value (builder, line->str);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  begin_object (builder, "data");
  add_points (builder, "values", parts);
  json_builder_end_object (builder);
  if (parts->len > 0 && dyno_chart_get_n_panels (chart) > 1)
    add_panels (builder, parts);
  else if (parts->len > 0)
    {
      add_number (builder, "width", WIDTH);
      add_layers (builder, parts);
    }
  json_builder_end_object (builder);
  return finish (builder);
}
