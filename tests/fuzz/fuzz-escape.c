/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-import-private.h"
#include "dyno-json.h"
#include "dyno-report-private.h"
#include "dyno-text.h"
#include "fuzz-corpus.h"

/* Whatever a text holds, it is the same text after it was written into HTML, Markdown, CSV or JSON and read back, and never
 * markup. */

/* What an XML parser found in an element and its attribute. */
typedef struct
{
  GString *text;
  char *attribute;
  guint n_elements;
} Parsed;

static void
start_element (GMarkupParseContext *context,
               const char *name,
               const char **names,
               const char **values,
               gpointer data,
               GError **error)
{
  Parsed *parsed = data;

  parsed->n_elements++;
  g_free (parsed->attribute);
  parsed->attribute = g_strdup (values[0]);
}

static void
take_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  g_string_append_len (((Parsed *)data)->text, text, (gssize)length);
}

static void
check_markup (const char *text)
{
  static const GMarkupParser parser = { .start_element = start_element, .text = take_text };
  g_autoptr (GString) content = g_string_new (NULL);
  Parsed parsed = { content, NULL, 0 };
  g_autofree char *escaped = dyno_markup_escape (text);
  g_autofree char *page = g_strdup_printf ("<a b=\"%s\">%s</a>", escaped, escaped);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &parsed, NULL);
  g_autofree char *again = NULL;
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, page, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (parsed.n_elements, ==, 1);
  again = dyno_markup_escape (content->str);
  g_assert_cmpstr (again, ==, escaped);
  g_assert_cmpint (g_utf8_strlen (content->str, -1), ==, g_utf8_strlen (text, -1));
  /* XML has no other white space in attributes than spaces. */
  g_strdelimit (content->str, "\n\t", ' ');
  g_assert_cmpstr (parsed.attribute, ==, content->str);
  g_free (parsed.attribute);
}

static void
check_csv (const char *text, char separator)
{
  g_autoptr (GString) row = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (DynoImportFile) file = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GError) error = NULL;
  guint line;

  dyno_csv_append (row, "first", separator);
  g_string_append_c (row, separator);
  dyno_csv_append (row, text, separator);
  g_string_append_c (row, separator);
  dyno_csv_append (row, "last", separator);
  g_string_append_c (row, '\n');
  bytes = g_bytes_new_static (row->str, row->len);
  file = dyno_import_file_new_for_bytes ("row.csv", bytes);
  cells = dyno_table_read_row (file, separator, &line, &error);
  /* Imported text may not have control characters. */
  if (cells == NULL)
    return;
  g_assert_cmpuint (cells->len, ==, 3);
  g_assert_cmpstr (cells->pdata[1], ==, text);
  g_assert_cmpstr (cells->pdata[2], ==, "last");
}

static void
check_formula (const char *text)
{
  g_autofree char *safe = dyno_csv_dup_text (text);
  char *end = NULL;

  g_ascii_strtod (safe, &end);
  g_assert_true (*safe == '\0' || strchr ("=+-@\t\r\n", *safe) == NULL || *end == '\0');
}

static void
check_markdown (const char *text)
{
  g_autofree char *escaped = dyno_report_text_escape (text);
  g_autofree char *expected = dyno_plain_text_show_controls (text);
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *p = escaped; *p != '\0'; p++)
    {
      g_assert_null (strchr ("\n\r\t`*<[]|", *p));
      if (*p == '\\')
        p++;
      g_string_append_c (plain, *p);
    }
  g_strdelimit (expected, "\n\t", ' ');
  g_assert_cmpstr (plain->str, ==, expected);
}

static void
check_json (const char *text)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *written = NULL;
  g_autoptr (JsonObject) again = NULL;

  json_object_set_string_member (object, "text", text);
  json_node_set_object (node, object);
  written = dyno_json_text_write (node, FALSE);
  again = dyno_json_try_object (written, -1);
  g_assert_nonnull (again);
  g_assert_cmpstr (dyno_json_member_get_string (again, "text"), ==, text);
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *bytes = g_strndup ((const char *)data, size);
  g_autofree char *text = g_utf8_make_valid (bytes, -1);
  g_autofree char *quoted = dyno_plain_text_quote (bytes, DYNO_PLAIN_TEXT_NAME);
  g_autofree char *made_valid = dyno_plain_text_make_valid ((const char *)data, size);

  g_assert_true (g_utf8_validate (quoted, -1, NULL) && strpbrk (quoted, "\n\r\t\x1b") == NULL);
  g_assert_true (g_utf8_validate (made_valid, -1, NULL));
  check_markup (text);
  check_csv (text, ',');
  check_csv (text, ';');
  check_formula (text);
  check_markdown (text);
  check_json (text);
}

FUZZ_TARGET (read_input)
