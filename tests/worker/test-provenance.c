/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "dyno-worker-private.h"
#include "suite.h"

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-provenance-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.onnx", NULL);
  g_autofree char *sentence = NULL;

  g_assert_true (g_file_set_contents (path, "abc", -1, NULL));
  sentence = dyno_provenance_describe (path, path, 7);
  /* The hash of “abc” that the standard, FIPS 180-2, gives. */
  g_assert_nonnull (strstr (sentence, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
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

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provenance/file", test_file);
  g_test_add_func ("/provenance/built", test_built);
  return g_test_run ();
}

SUITE (run_suite)
