/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "dyno-importer.h"

/* Whatever is in a file, reading it ends with a run or with a reason. Under libFuzzer (`./dev fuzz`) the files are made
 * up from the corpus; as an ordinary test they are the corpus, which are the fixtures of all dialects, and what becomes of
 * it when it is cut off, when bytes are swapped for others, or when a part comes twice. */

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* What a run must be that goes to the store. */
static void
check (const DynoDialect *dialect, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  g_assert_true (dialect->read_runs != NULL || g_list_model_get_n_items (results) > 0);
  g_assert_cmpuint (strlen (dyno_run_get_id (run)), ==, 36);
  g_assert_true (g_uuid_string_is_valid (dyno_run_get_id (run)));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint k = 0; k < values->len && dialect->read_runs == NULL; k++)
        g_assert_cmpint (dyno_value_get_quality (values->pdata[k]), ==, DYNO_QUALITY_IMPORTED);
    }
}

static gboolean
read_as (const DynoDialect *dialect, DynoImportFile *file, GError **error)
{
  g_autoptr (DynoPowerLog) log = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (dialect->read_power != NULL)
    {
      log = dialect->read_power (file, error);
      g_assert_true (log == NULL || dyno_trace_get_length (log->power) > 1);
      return log != NULL;
    }
  runs = dyno_importer_read (file, dialect, error);
  g_assert_true (runs == NULL || runs->len > 0);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    check (dialect, runs->pdata[i]);
  return runs != NULL;
}

/* Each dialect must bear every file, whatever it is recognised as. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);

  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    {
      g_autoptr (DynoImportFile) file = dyno_import_file_new_for_bytes ("file", bytes);
      g_autoptr (GError) error = NULL;

      (*dialect)->recognise (dyno_import_file_get_head (file));
      g_assert_true (read_as (*dialect, file, &error) == (error == NULL));
    }
  return 0;
}

#ifndef DYNO_FUZZER

/* Of each file; the seed is the same every time. */
#define N_CUTS    40
#define N_CHANGES 200

static void
cut (const char *text, gsize length)
{
  for (gsize i = 0; i <= N_CUTS; i++)
    LLVMFuzzerTestOneInput ((const guint8 *)text, length * i / N_CUTS);
}

/* Mostly what means something to a parser. */
static char
choose_byte (GRand *random)
{
  static const char signs[] = "\"\"'{}[],:;|\n\r\\-+.eE0917NInfa \t\xff";

  return g_rand_int_range (random, 0, 8) > 0 ? signs[g_rand_int_range (random, 0, sizeof signs)]
                                             : (char)g_rand_int_range (random, 0, 256);
}

static void
change (const char *text, gsize length, GRand *random)
{
  for (guint i = 0; i < N_CHANGES; i++)
    {
      g_autofree char *changed = g_memdup2 (text, length);
      guint n = (guint)g_rand_int_range (random, 1, 4);

      for (guint k = 0; k < n; k++)
        changed[g_rand_int_range (random, 0, (gint32)length)] = choose_byte (random);
      LLVMFuzzerTestOneInput ((const guint8 *)changed, length);
    }
}

static void
repeat (const char *text, gsize length)
{
  g_autoptr (GString) twice = g_string_new_len (text, (gssize)length);

  g_string_append_len (twice, text, (gssize)length);
  g_string_insert_len (twice, (gssize)length / 2, text, (gssize)length / 2);
  LLVMFuzzerTestOneInput ((const guint8 *)twice->str, twice->len);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autoptr (GPtrArray) files = argc == 2 ? dyno_importer_list_files (argv[1], NULL) : NULL;
  guint n = 0;

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      g_autofree char *text = NULL;
      gsize length = 0;

      if (g_str_has_suffix (files->pdata[i], ".expected") ||
          !g_file_get_contents (files->pdata[i], &text, &length, NULL) || length == 0)
        continue;
      cut (text, length);
      change (text, length, random);
      repeat (text, length);
      n++;
    }
  printf ("%u files\n", n);
  return n > 0 ? 0 : 1;
}

#endif
