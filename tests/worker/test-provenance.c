/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-worker-private.h"
#include "suite.h"

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-provenance-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.onnx", NULL);
  g_autofree char *sentence = NULL;
  g_autofree char *again = NULL;
  g_autofree char *changed = NULL;

  g_assert_true (g_file_set_contents (path, "abc", -1, NULL));
  sentence = dyno_provenance_describe (path, path, 7);
  /* The hash of “abc” that the standard, FIPS 180-2, gives. */
  g_assert_nonnull (strstr (sentence, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));

  /* The hash is kept as long as the file stays as it is. */
  again = dyno_provenance_describe (path, path, 7);
  g_assert_cmpstr (again, ==, sentence);
  g_assert_true (g_file_set_contents (path, "abcd", -1, NULL));
  changed = dyno_provenance_describe (path, path, 7);
  g_assert_cmpstr (changed, !=, sentence);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_built (void)
{
  g_autofree char *sentence = dyno_provenance_describe ("bert-tiny", "cache/bert-fp32-0123/model.onnx", 7);

  g_assert_nonnull (strstr (sentence, "bert-fp32-0123"));
  g_assert_nonnull (strstr (sentence, "seed 7"));
}

/* The file that is loaded, not the link that names it, is named with the hash of its bytes. */
static void
test_libraries (void)
{
  Dl_info info;
  g_autofree char *link = NULL;
  g_autofree char *folder = g_dir_make_tmp ("dyno-provenance-XXXXXX", NULL);
  g_autofree char *described = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *nothing = NULL;
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  gsize size;

  g_assert_cmpint (dladdr ((void *)json_node_alloc, &info), !=, 0);
  path = realpath (info.dli_fname, NULL);
  name = g_path_get_basename (path);
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)contents, size);
  expected = g_strdup_printf ("%s %s", name, hash);
  link = g_build_filename (folder, "other.so", NULL);
  g_assert_cmpint (symlink (path, link), ==, 0);

  described = dyno_provenance_describe_libraries (link);
  g_assert_cmpstr (described, ==, expected);
  nothing = dyno_provenance_describe_libraries ("/nowhere/libonnxruntime.so");
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static const SuiteTest tests[] = {
  { "/provenance/file", test_file },
  { "/provenance/built", test_built },
  { "/provenance/libraries", test_libraries },
};

SUITE_TESTS (tests)
