/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "chart-fixture.h"
#include "dyno-ceiling.h"
#include "dyno-error.h"
#include "dyno-report-gallery.h"
#include "dyno-store.h"
#include "suite.h"

static char *folder;

static GPtrArray *
list_runs (void)
{
  static const char hostile[] = "../<script>alert(1)</script>";
  GPtrArray *runs =
      fixture_list (fixture_create_sweep ("Before", 1, 2), fixture_create_sweep ("After", 1, 2),
                    fixture_create_sweep (hostile, 1, 2), fixture_create_sweep ("Before", 1, 2), NULL);

  return runs;
}

static char *
read_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* What the index leads to is there, and nothing else is: no address on another computer. */
static void
read_link (GMarkupParseContext *context,
           const char *element,
           const char **names,
           const char **values,
           gpointer user_data,
           GError **error)
{
  guint *n_links = user_data;

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (element, "a") && g_str_equal (names[i], "href"))
      {
        g_autofree char *path = g_build_filename (folder, values[i], NULL);

        g_assert_null (strchr (values[i], '/'));
        g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
        (*n_links)++;
      }
}

static void
test_site (void)
{
  const GMarkupParser parser = { .start_element = read_link };
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  guint n_links = 0;
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &n_links, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *index = NULL;

  g_assert_true (dyno_report_gallery_write (&source, folder, NULL, &error));
  g_assert_no_error (error);
  index = read_file ("index.html");
  g_markup_parse_context_parse (context, index, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  /* A page and a document of each run, and each two of them. */
  g_assert_cmpuint (n_links, ==, 2 * 4 + 6);
  g_assert_null (strstr (index, "<script>alert"));
  g_assert_nonnull (strstr (index, "<th scope=\"col\">Measured with</th>"));
  g_assert_nonnull (strstr (index, "<td>Dyno"));
  /* Two runs can be chosen, by names that are not alike. */
  g_assert_nonnull (strstr (index, "<table data-first=\"Compare\" data-second=\"with\" data-none="));
}

/* Runs of the same title are told apart, and each page calls them by the same names; their own titles stay. */
static void
test_titles (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autofree char *index = NULL;
  g_autofree char *page = NULL;

  g_assert_true (dyno_report_gallery_write (&source, folder, NULL, NULL));
  index = read_file ("index.html");
  g_assert_nonnull (strstr (index, ">Before (2)</a>"));
  g_assert_cmpstr (dyno_run_get_title (runs->pdata[0]), ==, "Before");
  g_assert_cmpstr (dyno_run_get_title (runs->pdata[3]), ==, "Before");
  for (guint i = 1; page == NULL && i <= 4; i++)
    for (guint k = i + 1; page == NULL && k <= 4; k++)
      {
        g_autofree char *name = g_strdup_printf ("compare-%u-%u.html", i, k);
        g_autofree char *text = read_file (name);

        if (strstr (text, "<title>Before compared with Before (2)</title>") != NULL ||
            strstr (text, "<title>Before (2) compared with Before</title>") != NULL)
          page = g_steal_pointer (&text);
      }
  g_assert_nonnull (page);
}

/* The documents open as what they are of. */
static void
test_documents (void)
{
  g_autofree char *path = g_build_filename (folder, "run-1.dyno", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = dyno_store_open_document (path, &error);
  g_autoptr (GPtrArray) runs = NULL;

  g_assert_no_error (error);
  runs = dyno_store_list_runs (document, NULL, 0, 10, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
}

/* The ceilings are found by the machine; all runs of the gallery are of one that has a processor. */
static GHashTable *
create_ceilings (GPtrArray *runs)
{
  GHashTable *ceilings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);

  for (guint i = 0; i < runs->len; i++)
    {
      GPtrArray *of_run = g_ptr_array_new_with_free_func (g_object_unref);

      g_object_set (runs->pdata[i], "machine", "{\"cpu\":{\"name\":\"One\"}}", NULL);
      g_ptr_array_add (of_run, g_object_new (DYNO_TYPE_CEILING, "id", "fp32-avx2", "threads", 2, "value", 4e9,
                                             "best", 5e9, "unit", "FLOP/s", "method", "A loop.",
                                             "measured-at", G_GINT64_CONSTANT (1000), NULL));
      g_hash_table_insert (ceilings, runs->pdata[i], of_run);
    }
  return ceilings;
}

/* What the machine can do at most travels with its runs. */
static void
test_ceilings (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  g_autoptr (GHashTable) ceilings = create_ceilings (runs);
  const DynoReportSource source = { .runs = runs, .ceilings = ceilings };
  g_autofree char *path = g_build_filename (folder, "run-1.dyno", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoStore) document = NULL;
  g_autoptr (GPtrArray) found = NULL;

  g_assert_true (dyno_report_gallery_write (&source, folder, NULL, &error));
  document = dyno_store_open_document (path, &error);
  g_assert_no_error (error);
  found = dyno_store_load_ceilings (document, dyno_run_get_machine (runs->pdata[0]), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpfloat (dyno_ceiling_get_value (found->pdata[0]), ==, 4e9);
}

static gboolean
is_there (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
put (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* What an earlier gallery wrote goes with it; what somebody else put there or changed does not. */
static void
test_removes_its_own (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  g_auto (GStrv) removed = NULL;
  g_autofree char *list = NULL;

  g_assert_true (dyno_report_gallery_write (&source, folder, NULL, NULL));
  put ("run-9.html", "of somebody else");
  put ("run-4.html", "changed by somebody else");
  g_ptr_array_set_size (runs, 2);
  g_assert_true (dyno_report_gallery_write (&source, folder, &removed, NULL));
  list = g_strjoinv (" ", removed);
  g_assert_cmpstr (
      list, ==,
      "compare-1-3.html compare-1-4.html compare-2-3.html compare-2-4.html compare-3-4.html run-3.dyno "
      "run-3.html run-4.dyno");
  for (char **name = removed; *name != NULL; name++)
    g_assert_false (is_there (*name));
  g_assert_true (is_there ("run-2.dyno"));
  g_assert_true (is_there ("run-9.html"));
  g_assert_true (is_there ("run-4.html"));
}

static void
empty_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_dir_close (dir);
}

/* What could not be completed is known all the same to the next one. */
static void
test_incomplete (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autofree char *index = g_build_filename (folder, "index.html", NULL);
  g_auto (GStrv) removed = NULL;
  g_autoptr (GError) error = NULL;

  empty_folder ();
  g_assert_cmpint (g_mkdir (index, 0755), ==, 0);
  g_assert_false (dyno_report_gallery_write (&source, folder, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_true (is_there ("run-4.html"));
  g_assert_cmpint (g_rmdir (index), ==, 0);
  g_ptr_array_set_size (runs, 2);
  g_assert_true (dyno_report_gallery_write (&source, folder, &removed, NULL));
  g_assert_true (g_strv_contains ((const char *const *)removed, "run-4.html"));
  g_assert_false (is_there ("run-4.html"));
  g_assert_false (is_there ("run-4.dyno"));
}

/* Nothing outside the folder is touched, whatever stands in the list. */
static void
test_hostile_list (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autofree char *outside = g_strconcat (folder, ".outside", NULL);
  g_autofree char *name = g_path_get_basename (outside);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "mine", -1);
  g_autofree char *text = g_strdup_printf ("%s  ../%s\nnonsense\n  \n", hash, name);
  g_auto (GStrv) removed = NULL;

  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  put ("dyno-gallery.sha256", text);
  g_assert_true (dyno_report_gallery_write (&source, folder, &removed, NULL));
  g_assert_cmpuint (g_strv_length (removed), ==, 0);
  g_assert_true (g_file_test (outside, G_FILE_TEST_EXISTS));
  g_remove (outside);
}

static void
test_unwritable (void)
{
  g_autoptr (GPtrArray) runs = list_runs ();
  const DynoReportSource source = { .runs = runs };
  g_autofree char *below_a_file = g_build_filename (folder, "index.html", "site", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_report_gallery_write (&source, below_a_file, NULL, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
}

static void
remove_folder (void)
{
  empty_folder ();
  g_rmdir (folder);
  g_free (folder);
}

static int
run_suite (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("dyno-gallery-XXXXXX", NULL);

  g_test_add_func ("/report/gallery/site", test_site);
  g_test_add_func ("/report/gallery/titles", test_titles);
  g_test_add_func ("/report/gallery/documents", test_documents);
  g_test_add_func ("/report/gallery/ceilings", test_ceilings);
  g_test_add_func ("/report/gallery/removes-its-own", test_removes_its_own);
  g_test_add_func ("/report/gallery/incomplete", test_incomplete);
  g_test_add_func ("/report/gallery/hostile-list", test_hostile_list);
  g_test_add_func ("/report/gallery/unwritable", test_unwritable);

  status = g_test_run ();
  remove_folder ();
  return status;
}

SUITE (run_suite)
