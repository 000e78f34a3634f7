/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-chart-export.h"

#include <json-glib/json-glib.h>

#include "dyno-error.h"
#include "suite.h"

#define WIDTH  480
#define HEIGHT 320

static DynoChart *
create_chart (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Laptop <on> battery & co", 1, 4),
                                             fixture_create_sweep ("Desktop", 1, 4), NULL);

  return dyno_chart_new (DYNO_CHART_SCALING_LATENCY, runs);
}

static GBytes *
export_as (DynoChart *chart, DynoImageFormat format)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes =
      dyno_chart_export_to_bytes (chart, format, WIDTH, HEIGHT, dyno_chart_style_get_light (), &error);

  g_assert_no_error (error);
  return bytes;
}

static guint
read_uint (const guint8 *data)
{
  return (guint)data[0] << 24 | (guint)data[1] << 16 | (guint)data[2] << 8 | data[3];
}

/* A PNG begins with its signature and a header that holds width and height. */
static void
test_png (void)
{
  static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GBytes) bytes = export_as (chart, DYNO_IMAGE_PNG);
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  g_assert_cmpmem (data, sizeof signature, signature, sizeof signature);
  g_assert_cmpuint (read_uint (data + 16), ==, 2 * WIDTH);
  g_assert_cmpuint (read_uint (data + 20), ==, 2 * HEIGHT);
}

typedef struct
{
  GString *title;
  GString *description;
  guint n_marks;
} Words;

static void
read_text (GMarkupParseContext *context, const char *text, gsize length, gpointer user_data, GError **error)
{
  Words *words = user_data;

  if (!g_str_equal (g_markup_parse_context_get_element (context), "title"))
    ;
  else if (g_slist_length ((GSList *)g_markup_parse_context_get_element_stack (context)) == 2)
    g_string_append_len (words->title, text, length);
  else
    words->n_marks += strstr (text, "Batch size ") != NULL;
  if (g_str_equal (g_markup_parse_context_get_element (context), "desc"))
    g_string_append_len (words->description, text, length);
}

static void
test_svg (void)
{
  const GMarkupParser parser = { .text = read_text };
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GBytes) bytes = export_as (chart, DYNO_IMAGE_SVG);
  Words words = { g_string_new (NULL), g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &words, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_markup_parse_context_parse (context, g_bytes_get_data (bytes, NULL),
                                               g_bytes_get_size (bytes), &error));
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (words.title->str, ==, dyno_chart_get_title (chart));
  g_assert_cmpuint (words.n_marks, ==, 8);
  g_assert_nonnull (strstr (words.description->str, "Laptop <on> battery & co"));
  g_assert_nonnull (strstr (words.description->str, dyno_chart_get_caption (chart)));
  g_string_free (words.title, TRUE);
  g_string_free (words.description, TRUE);
}

static void
test_pdf (void)
{
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GBytes) bytes = export_as (chart, DYNO_IMAGE_PDF);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  g_assert_cmpmem (data, 5, "%PDF-", 5);
  g_assert_nonnull (g_strstr_len (data + size - 16, 16, "%%EOF"));
}

/* The same numbers as the table has, and what they are of. */
static void
test_data (void)
{
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GBytes) bytes = export_as (chart, DYNO_IMAGE_JSON);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  JsonObject *object = json_node_get_object (root);
  JsonArray *points = json_object_get_array_member (object, "points");
  JsonObject *point = json_array_get_object_element (points, 0);
  g_autoptr (GBytes) table = export_as (chart, DYNO_IMAGE_CSV);
  g_autofree char *rows = dyno_chart_dup_table (chart, ',');

  g_assert_cmpstr (json_object_get_string_member (object, "title"), ==, dyno_chart_get_title (chart));
  g_assert_cmpuint (json_array_get_length (points), ==, 8);
  g_assert_cmpstr (json_object_get_string_member (point, "series"), ==, "Laptop <on> battery & co");
  g_assert_cmpfloat (json_object_get_double_member (point, "x"), ==, 1);
  g_assert_cmpfloat (json_object_get_double_member (point, "low"), <,
                     json_object_get_double_member (point, "y"));
  g_assert_cmpmem (g_bytes_get_data (table, NULL), g_bytes_get_size (table), rows, strlen (rows));
}

/* Of every chart: points, and marks over its two axes. */
static void
test_vega_lite (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Sweep", 2, 3), NULL);

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    {
      g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
      g_autoptr (GBytes) bytes = export_as (chart, DYNO_IMAGE_VEGA_LITE);
      g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_autoptr (JsonNode) root = json_from_string (text, NULL);
      JsonObject *object = json_node_get_object (root);
      JsonObject *data = json_object_get_object_member (object, "data");
      gboolean has_points = json_array_get_length (json_object_get_array_member (data, "values")) > 0;

      g_assert_true (g_str_has_suffix (json_object_get_string_member (object, "$schema"), "/v5.json"));
      g_assert_true (has_points == (dyno_chart_get_empty_message (chart) == NULL));
      if (!has_points)
        continue;
      if (dyno_chart_get_n_panels (chart) > 1)
        object = json_object_get_object_member (object, "spec");
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "layer")), >, 0);
    }
}

/* The points are in the unit that the axis names, also where the chart itself is drawn in another one. */
static void
test_vega_lite_unit (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_sweep ("Sweep", 1, 2), NULL);
  g_autoptr (DynoChart) chart = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  g_autoptr (DynoRun) run = g_object_ref (runs->pdata[0]);
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      g_ptr_array_set_size (values, 0);
      dyno_result_add_measured (result, "latency_p50_ms", 4000 + i, "ms", "made up");
    }
  chart = dyno_chart_new (DYNO_CHART_COMPARISON, runs);
  bytes = export_as (chart, DYNO_IMAGE_VEGA_LITE);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (text, "\"y\" : 4000.0"));
  g_assert_nonnull (strstr (text, "(ms)\""));
  g_assert_null (strstr (text, "(s)\""));
}

static void
test_empty (void)
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_create_run ("Nothing"), NULL);

  for (DynoChartKind kind = 0; kind < DYNO_N_CHARTS; kind++)
    for (DynoImageFormat format = DYNO_IMAGE_PNG; format <= DYNO_IMAGE_PDF; format++)
      {
        g_autoptr (DynoChart) chart = dyno_chart_new (kind, runs);
        g_autoptr (GBytes) bytes = export_as (chart, format);

        g_assert_cmpuint (g_bytes_get_size (bytes), >, 100);
      }
}

static void
test_file (void)
{
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("dyno-chart-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "scaling.SVG", NULL);
  g_autofree char *contents = NULL;

  g_assert_true (
      dyno_chart_export_by_name (chart, path, WIDTH, HEIGHT, dyno_chart_style_get_light (), &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_true (g_str_has_prefix (contents, "<?xml"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_unwritable (void)
{
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("dyno-chart-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "missing", "scaling.png", NULL);

  g_assert_false (
      dyno_chart_export (chart, path, DYNO_IMAGE_PNG, WIDTH, HEIGHT, dyno_chart_style_get_light (), &error));
  suite_assert_error (error, DYNO_ERROR_FAILED, path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_unknown_ending (void)
{
  g_autoptr (DynoChart) chart = create_chart ();
  g_autoptr (GError) error = NULL;
  DynoImageFormat format;

  g_assert_false (dyno_image_format_from_name ("scaling.bmp", &format));
  g_assert_true (dyno_image_format_from_name ("a.b/scaling.Pdf", &format));
  g_assert_cmpint (format, ==, DYNO_IMAGE_PDF);
  g_assert_false (
      dyno_chart_export_by_name (chart, "scaling.bmp", WIDTH, HEIGHT, dyno_chart_style_get_light (), &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, ".svg"));
}

static void
test_impossible_size (void)
{
  static const double sizes[][2] = { { 0, 100 }, { 100, -1 }, { 100000, 100 }, { 100, 1e300 } };
  g_autoptr (DynoChart) chart = create_chart ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = dyno_chart_export_to_bytes (chart, DYNO_IMAGE_PNG, sizes[i][0], sizes[i][1],
                                                             dyno_chart_style_get_light (), &error);

      g_assert_null (bytes);
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

/* A picture whose size nobody chose has room for all panels, and is never flatter than usual. */
static void
test_height (void)
{
  g_autoptr (GPtrArray) models = fixture_list (fixture_create_sweep ("Laptop", 12, 3), NULL);
  g_autoptr (DynoChart) panels = dyno_chart_new (DYNO_CHART_SCALING_LATENCY, models);
  g_autoptr (DynoChart) lines = create_chart ();

  g_assert_cmpfloat (dyno_chart_get_export_height (lines, DYNO_CHART_EXPORT_WIDTH), ==,
                     DYNO_CHART_EXPORT_HEIGHT);
  g_assert_cmpfloat (dyno_chart_get_export_height (panels, DYNO_CHART_EXPORT_WIDTH), >,
                     dyno_chart_get_natural_height (panels, DYNO_CHART_EXPORT_WIDTH));
}

static const SuiteTest tests[] = {
  { "/chart/export/png", test_png },
  { "/chart/export/svg", test_svg },
  { "/chart/export/pdf", test_pdf },
  { "/chart/export/data", test_data },
  { "/chart/export/vega-lite", test_vega_lite },
  { "/chart/export/vega-lite-unit", test_vega_lite_unit },
  { "/chart/export/empty", test_empty },
  { "/chart/export/file", test_file },
  { "/chart/export/unwritable", test_unwritable },
  { "/chart/export/unknown-ending", test_unknown_ending },
  { "/chart/export/impossible-size", test_impossible_size },
  { "/chart/export/height", test_height },
};

SUITE_TESTS (tests)
