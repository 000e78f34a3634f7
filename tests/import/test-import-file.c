/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-import-private.h"
#include "dyno-json.h"
#include "suite.h"

static DynoImportFile *
open_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return dyno_import_file_new_for_bytes ("text", bytes);
}

static void
test_lines (void)
{
  g_autoptr (DynoImportFile) file = open_text ("\xef\xbb\xbfone\r\n\ntwo\nthree");
  g_autoptr (GError) error = NULL;
  const char *const expected[] = { "one", "", "two", "three" };
  guint line = 0;

  g_assert_cmpstr (dyno_import_file_get_head (file), ==, "one\r\n\ntwo\nthree");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpstr (dyno_import_file_read_line (file, &line, &error), ==, expected[i]);
      g_assert_cmpuint (line, ==, i + 1);
    }
  g_assert_null (dyno_import_file_read_line (file, &line, &error));
  g_assert_no_error (error);
}

static void
test_not_text (void)
{
  g_autoptr (DynoImportFile) file = open_text ("good\nb\xe9"
                                               "d\n");
  g_autoptr (GError) error = NULL;
  guint line = 0;

  g_assert_nonnull (dyno_import_file_read_line (file, &line, &error));
  g_assert_null (dyno_import_file_read_line (file, &line, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_true (g_str_has_prefix (error->message, "Line 2: "));
}

/* Programs in C may write a string with the zero that ends it; elsewhere in a text there is none. */
static void
test_zero_bytes (void)
{
  static const char text[] = "name: a\0\r\nb\0c\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("text", bytes);
  g_autoptr (GError) error = NULL;
  guint line = 0;

  g_assert_cmpstr (dyno_import_file_read_line (file, &line, &error), ==, "name: a");
  g_assert_null (dyno_import_file_read_line (file, &line, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpstr (error->message, ==, "Line 2: It holds a zero byte.");
}

/* The hash and the copy are of the file as it is, however far it was read. */
static void
test_copy (void)
{
  const char *text = "\xef\xbb\xbfone\ntwo\n";
  g_autoptr (DynoImportFile) file = open_text (text);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *found = NULL;
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GError) error = NULL;
  gint64 size = 0;

  dyno_import_file_next (file);
  dyno_import_file_finish (file, &found, &size, &packed, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, hash);
  g_assert_cmpint (size, ==, (gint64)strlen (text));
  g_assert_cmpuint (g_bytes_get_size (packed), >, 0);
}

/* UTF-16 becomes UTF-8, over the ends of buffers as well, and what is kept is what was there. */
static void
assert_wide (const char *charset, const char *mark, gsize n_cut)
{
  g_autofree char *filler = g_strnfill (100001, 'x');
  g_autofree char *text = g_strdup_printf ("%s\xf0\x9f\x90\xa7“first”\r\n%s€\nlast", mark, filler);
  g_autofree char *second = g_strconcat (filler, "€", NULL);
  gsize size = 0;
  char *wide = g_convert (text, -1, charset, "UTF-8", NULL, &size, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_take (wide, size - n_cut);
  g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("wide", bytes);
  g_autofree char *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  g_autofree char *found = NULL;
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GError) error = NULL;
  gint64 found_size = 0;
  guint line;

  g_assert_true (g_str_has_prefix (dyno_import_file_get_head (file), "\xf0\x9f\x90\xa7“first”"));
  g_assert_cmpstr (dyno_import_file_read_line (file, &line, &error), ==, "\xf0\x9f\x90\xa7“first”");
  g_assert_cmpstr (dyno_import_file_read_line (file, &line, &error), ==, second);
  g_assert_cmpstr (dyno_import_file_read_line (file, &line, &error), ==, n_cut > 0 ? "las" : "last");
  g_assert_no_error (error);
  dyno_import_file_finish (file, &found, &found_size, &packed, &error);
  g_assert_no_error (error);
  g_assert_cmpint (found_size, ==, (gint64)(size - n_cut));
  g_assert_cmpstr (found, ==, hash);
}

/* A last byte that is half a character, alone behind a full buffer. */
static void
assert_half (void)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (DynoImportFile) file = NULL;
  guint n = 0;

  g_byte_array_append (array, (const guint8 *)"\xff\xfe", 2);
  while (array->len < 64 * 1024)
    g_byte_array_append (array, (const guint8 *)"x\0", 2);
  g_byte_array_append (array, (const guint8 *)"x", 1);
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  file = dyno_import_file_new_for_bytes ("half", bytes);
  while (dyno_import_file_next (file) == 'x')
    n++;
  g_assert_cmpuint (n, ==, 32 * 1024 - 1);
  g_assert_cmpint (dyno_import_file_peek (file), ==, -1);
}

static void
test_wide (void)
{
  static const char lone[] = "\xff\xfe\x00\xdc{\0";
  g_autoptr (GBytes) bytes = g_bytes_new_static (lone, sizeof lone - 1);
  g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("lone", bytes);
  g_autoptr (GError) error = NULL;
  guint line;

  assert_half ();
  assert_wide ("UTF-16LE", "\xef\xbb\xbf", 0);
  assert_wide ("UTF-16BE", "\xef\xbb\xbf", 0);
  assert_wide ("UTF-16LE", "\xef\xbb\xbf", 1);
  g_assert_null (dyno_import_file_read_line (file, &line, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpstr (error->message, ==, "Line 1: It is not UTF-16 text.");
}

static void
test_pipe (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_import_file_open ("/dev/zero", NULL, NULL, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_clear_error (&error);
  g_assert_null (dyno_import_file_open ("/nowhere/at/all", NULL, NULL, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
count_progress (double fraction, gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >=, *last);
  *last = fraction;
}

/* A file of several buffers: progress reaches the end, and a cancelled reading fails as such. */
static void
test_progress (void)
{
  g_autofree char *text = g_strnfill (300000, 'x');
  g_autofree char *path = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImportFile) file = NULL;
  double last = 0;
  guint line;
  int fd = g_file_open_tmp ("dyno-import-XXXXXX", &path, &error);

  g_assert_no_error (error);
  close (fd);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  file = dyno_import_file_open (path, cancellable, count_progress, &last, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (last, <, 1);
  g_assert_cmpuint (strlen (dyno_import_file_read_line (file, &line, &error)), ==, 300000);
  g_assert_cmpfloat (last, ==, 1);
  g_clear_pointer (&file, dyno_import_file_free);

  g_cancellable_cancel (cancellable);
  g_assert_null (dyno_import_file_open (path, cancellable, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  unlink (path);
}

/* Tables */

static void
test_table (void)
{
  g_autoptr (DynoImportFile) file =
      open_text ("name,\"the value\",rest\r\n\"a, \"\"quoted\"\"\",1.5,\r\n\n\"two\nlines\",,x\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTable) table = dyno_table_new (file, ',', &error);
  DynoRecord *record = NULL;

  g_assert_no_error (error);
  g_assert_true (dyno_table_next (table, &record, &error));
  g_assert_cmpstr (dyno_record_get_text (record, "name"), ==, "a, \"quoted\"");
  g_assert_cmpfloat (dyno_record_get_number (record, "the value"), ==, 1.5);
  g_assert_null (dyno_record_get_text (record, "rest"));
  g_assert_cmpuint (dyno_record_get_line (record), ==, 2);
  dyno_record_free (record);
  g_assert_true (dyno_table_next (table, &record, &error));
  g_assert_cmpstr (dyno_record_get_text (record, "name"), ==, "two\nlines");
  g_assert_true (isnan (dyno_record_get_number (record, "the value")));
  g_assert_cmpuint (dyno_record_get_line (record), ==, 4);
  g_assert_true (dyno_record_check (record, &error));
  dyno_record_free (record);
  g_assert_true (dyno_table_next (table, &record, &error));
  g_assert_null (record);
}

static void
assert_bad_table (const char *text, const char *reason)
{
  g_autoptr (DynoImportFile) file = open_text (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTable) table = dyno_table_new (file, ',', &error);
  DynoRecord *record = NULL;

  while (table != NULL && dyno_table_next (table, &record, &error) && record != NULL)
    dyno_record_free (record);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpstr (error->message, ==, reason);
}

static void
test_bad_tables (void)
{
  assert_bad_table ("", "Line 1: There is no row with the names of the columns.");
  assert_bad_table ("a,b\n1,2\n1,2,3\n", "Line 3: The row has 3 fields, and the first row has 2.");
  assert_bad_table ("a,b\n1,\"2\n", "Line 2: A quotation mark is never closed.");
}

/* Records */

static DynoRecord *
parse_record (const char *json)
{
  g_autoptr (GError) error = NULL;
  DynoRecord *record = dyno_json_reader_parse_line (json, 7, &error);

  g_assert_no_error (error);
  return record;
}

static void
test_record (void)
{
  g_autoptr (DynoRecord) record =
      parse_record ("{\"n\": 3, \"text\": \"x\", \"nothing\": null, \"time\": "
                    "\"2025-03-23T14:25:16.5+01:00\", \"list\": [1, 2.5], \"yes\": true,"
                    " \"part\": {\"inner\": \"4\"}, \"left\": {\"over\": 1}}");
  g_autoptr (DynoRecord) part = dyno_record_new_part (record, "part");
  g_autoptr (GError) error = NULL;
  gsize n = 0;
  g_autofree double *list = dyno_record_dup_amounts (record, "list", &n);
  g_autofree char *yes = dyno_record_dup_word (record, "yes");
  g_autoptr (JsonObject) rest = NULL;

  g_assert_cmpuint (dyno_record_get_count (record, "n"), ==, 3);
  g_assert_cmpstr (dyno_record_get_text (record, "text"), ==, "x");
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpfloat (list[1], ==, 2.5);
  g_assert_cmpstr (yes, ==, "1");
  g_assert_cmpfloat (dyno_record_get_number (part, "inner"), ==, 4);
  g_assert_cmpint (dyno_record_get_time (record, "time"), ==, G_GINT64_CONSTANT (1742736316500000));
  g_assert_true (isnan (dyno_record_get_number (record, "nothing")));
  g_assert_true (isnan (dyno_record_get_number (record, "absent")));
  g_assert_true (dyno_record_check (record, &error));
  rest = dyno_record_dup_rest (record);
  g_assert_cmpuint (json_object_get_size (rest), ==, 1);
  g_assert_true (json_object_has_member (rest, "left"));
}

static void
assert_refused (const char *json, const char *reason)
{
  g_autoptr (DynoRecord) record = parse_record (json);
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *list = dyno_record_dup_amounts (record, "list", &n);

  dyno_record_get_number (record, "number");
  dyno_record_get_amount (record, "amount");
  dyno_record_get_count (record, "count");
  dyno_record_get_text (record, "text");
  g_assert_false (dyno_record_check (record, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpstr (error->message, ==, reason);
}

/* Before it is asked for: what is left over is to be JSON as well. */
static void
test_infinite (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_json_reader_parse_line ("{\"text\": \"1e999\", \"number\": 1e999}", 7, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpstr (error->message, ==, "Line 7: “1e999” is too large for a number.");
}

static void
test_refused (void)
{
  assert_refused ("{\"number\": \"1.5 ms\"}", "Line 7: “number” is \"1.5 ms\", and not a number.");
  assert_refused ("{\"amount\": -0.5}", "Line 7: “amount” is -0.5, and not zero or more.");
  assert_refused ("{\"count\": -1}", "Line 7: “count” is -1, and not a whole number.");
  assert_refused ("{\"text\": 1}", "Line 7: “text” is 1, and not text.");
  assert_refused ("{\"list\": [1, \"long\"]}", "Line 7: “list” is \"long\", and not a list of numbers.");
}

/* As Python writes them: absent, and left over with the path of the part that they are in. */
static void
test_no_numbers (void)
{
  g_autoptr (DynoRecord) record =
      parse_record ("{\"number\": NaN, \"count\": \"inf\", \"list\": [1, -Infinity], \"word\": Infinity,"
                    " \"text\": \"[NaN]\", \"part\": {\"mean\": NaN, \"last\": 2}}");
  g_autoptr (DynoRecord) part = dyno_record_new_part (record, "part");
  g_autofree char *word = dyno_record_dup_word (record, "word");
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) rest = NULL;
  gsize n;
  g_autofree double *list = dyno_record_dup_amounts (record, "list", &n);

  g_assert_true (isnan (dyno_record_get_number (record, "number")));
  g_assert_cmpuint (dyno_record_get_count (record, "count"), ==, 0);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (isnan (dyno_record_get_amount (part, "mean")));
  g_assert_cmpfloat (dyno_record_get_amount (part, "last"), ==, 2);
  g_assert_cmpstr (word, ==, "Infinity");
  g_assert_cmpstr (dyno_record_get_text (record, "text"), ==, "[NaN]");
  g_assert_true (dyno_record_check (record, &error));
  g_assert_no_error (error);
  rest = dyno_record_dup_rest (record);
  g_assert_cmpuint (json_object_get_size (rest), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (rest, "number"), ==, "NaN");
  g_assert_cmpstr (json_object_get_string_member (rest, "part.mean"), ==, "NaN");
  g_assert_cmpstr (json_object_get_string_member (rest, "list"), ==, "-Infinity");
}

/* Tables */

static void
assert_table (const char *text, const char *expected)
{
  g_autoptr (DynoImportFile) file = open_text (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTable) table = dyno_table_new (file, ',', &error);
  g_autoptr (DynoRecord) row = NULL;

  g_assert_no_error (error);
  g_assert_true (dyno_table_next (table, &row, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_record_get_text (row, "b"), ==, expected);
  g_assert_cmpfloat (dyno_record_get_number (row, "a"), ==, 1234.5);
}

/* As a spreadsheet saves them where numbers have decimal commas. Text with a comma, and tables of commas, stay. */
static void
test_decimal_commas (void)
{
  assert_table ("a;b\n1234,5;x\n", "x");
  assert_table ("a;b\n1.234,5;\"1, 2\"\n", "1, 2");
  assert_table ("a;b\n+1,2345e3;1.5,2\n", "1.5,2");
  assert_table ("a,b\n1234.5,\"0,25\"\n", "0,25");
}

static char *
save_packed (const char *folder, const char *text, gsize n_left_out)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  char *path = g_build_filename (folder, "result.json.gz", NULL);
  guint8 packed[256];
  gsize n_read, n;

  g_assert_cmpint (g_converter_convert (G_CONVERTER (compressor), text, strlen (text), packed, sizeof packed,
                                        G_CONVERTER_INPUT_AT_END, &n_read, &n, NULL),
                   ==, G_CONVERTER_FINISHED);
  g_assert_true (g_file_set_contents (path, (const char *)packed, (gssize)(n - n_left_out), NULL));
  return path;
}

static void
test_packed (void)
{
  static const char text[] = "{\"a\": 1}\n";
  g_autofree char *folder = g_dir_make_tmp ("dyno-packed-XXXXXX", NULL);
  g_autofree char *path = save_packed (folder, text, 0);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autoptr (DynoImportFile) file = dyno_import_file_open (path, NULL, NULL, NULL, NULL);
  g_autoptr (DynoImportFile) cut = NULL;
  g_autoptr (GBytes) kept = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  gint64 size;

  g_assert_cmpstr (dyno_import_file_get_head (file), ==, text);
  g_assert_cmpstr (stem, ==, "result");
  g_assert_true (dyno_import_file_finish (file, &found, &size, &kept, &error));
  g_assert_cmpstr (found, ==, hash);
  g_assert_cmpint (size, ==, strlen (text));
  g_free (save_packed (folder, text, 12));
  cut = dyno_import_file_open (path, NULL, NULL, NULL, &error);
  g_assert_null (cut);
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "cannot be unpacked");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* JSON in pieces */

static void
test_pieces (void)
{
  g_autoptr (DynoImportFile) file =
      open_text ("{\"a\": 1,\n \"list\": [{\"x\": 1},\n {\"x\": 2}], \"empty\": [],\n"
                 " \"b\": {\"]\": \"}\\\"\"}}\n[7]\n");
  g_autoptr (DynoJsonReader) reader = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  dyno_json_reader_allow_several (reader);
  while (dyno_json_reader_next (reader, &piece, &error) && piece.node != NULL)
    {
      g_autofree char *text = dyno_json_text_write (piece.node, FALSE);

      g_string_append_printf (found, "%u %s %u %s\n", piece.document,
                              piece.member != NULL ? piece.member : "-", piece.line, text);
    }
  g_assert_no_error (error);
  g_assert_cmpstr (found->str, ==,
                   "0 a 1 1\n0 list 2 {\"x\":1}\n0 list 3 {\"x\":2}\n0 b 4 {\"]\":\"}\\\"\"}\n1 - 5 7\n");
}

static void
assert_bad_json (const char *text, const char *reason)
{
  g_autoptr (DynoImportFile) file = open_text (text);
  g_autoptr (DynoJsonReader) reader = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };
  g_autoptr (GError) error = NULL;

  while (dyno_json_reader_next (reader, &piece, &error) && piece.node != NULL)
    ;
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_true (g_str_has_prefix (error->message, reason));
}

static void
test_bad_json (void)
{
  g_autofree char *deep = g_strnfill (1000000, '[');

  assert_bad_json ("{\"a\": 1,\n\"b\": None}", "Line 2: This is not valid JSON");
  assert_bad_json ("[{\"a\": 1}", "Line 1: The JSON ends too early.");
  assert_bad_json ("[1,]", "Line 1: A value is expected in the JSON.");
  assert_bad_json ("{\"a\": 1}\n\n[2]", "Line 3: A second JSON value begins here. Split the file.");
  assert_bad_json ("[1]\nxyz", "Line 2: Something that is no JSON follows here.");
  assert_bad_json ("[1\n 2]", "Line 2: A “,” or “]” is expected in the JSON.");
  assert_bad_json ("{\"a\" 1}", "Line 1: “:” is expected in the JSON.");
  assert_bad_json ("[\n\n{\"a\": tru}]", "Line 3: This is not valid JSON: ");
  assert_bad_json (deep, "Line 1: The JSON is nested too deeply to be read.");
}

static void
test_units (void)
{
  DynoUnit own;

  g_assert_true (dyno_import_unit_convert ("µs", &own));
  g_assert_cmpstr (own.name, ==, "ms");
  g_assert_cmpfloat_with_epsilon (2500 * own.factor, 2.5, 1e-12);
  g_assert_true (dyno_import_unit_convert ("kWh", &own));
  g_assert_cmpfloat (own.factor, ==, 3.6e6);
  g_assert_true (dyno_import_unit_convert ("MiB", &own));
  g_assert_cmpfloat_with_epsilon (own.factor, 1.048576, 1e-12);
  g_assert_false (dyno_import_unit_convert ("furlong", &own));
}

static const SuiteTest tests[] = {
  { "/import/file/lines", test_lines },
  { "/import/file/not-text", test_not_text },
  { "/import/file/zero-bytes", test_zero_bytes },
  { "/import/file/copy", test_copy },
  { "/import/file/wide", test_wide },
  { "/import/file/pipe", test_pipe },
  { "/import/file/progress", test_progress },
  { "/import/table/rows", test_table },
  { "/import/table/bad", test_bad_tables },
  { "/import/record/kinds", test_record },
  { "/import/record/refused", test_refused },
  { "/import/record/no-numbers", test_no_numbers },
  { "/import/table/decimal-commas", test_decimal_commas },
  { "/import/file/packed", test_packed },
  { "/import/record/infinite", test_infinite },
  { "/import/json/pieces", test_pieces },
  { "/import/json/bad", test_bad_json },
  { "/import/units", test_units },
};

SUITE_TESTS (tests)
