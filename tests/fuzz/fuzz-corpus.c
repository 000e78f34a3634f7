/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "fuzz-corpus.h"

/* Of each file, fewer where not all tests run (`./dev test`); the seed is the same every time. */
#define N_CUTS    (g_getenv ("DYNO_TEST_THOROUGH") != NULL ? 10 : 3)
#define N_CHANGES (g_getenv ("DYNO_TEST_THOROUGH") != NULL ? 20 : 5)

static struct
{
  const char *file;
  FuzzFunc read;
} targets[64];
static guint n_targets;
static FuzzFunc read_input;

void
fuzz_corpus_add (const char *file, FuzzFunc read)
{
  g_assert_cmpuint (n_targets, <, G_N_ELEMENTS (targets));
  targets[n_targets].file = file;
  targets[n_targets++].read = read;
}

static void
cut (const char *text, gsize length)
{
  gsize n_cuts = N_CUTS;

  for (gsize i = 0; i <= n_cuts; i++)
    read_input ((const guint8 *)text, length * i / n_cuts);
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
  guint n_changes = N_CHANGES;

  for (guint i = 0; i < n_changes; i++)
    {
      g_autofree char *changed = g_memdup2 (text, length);
      guint n = (guint)g_rand_int_range (random, 1, 4);

      for (guint k = 0; k < n; k++)
        changed[g_rand_int_range (random, 0, (gint32)length)] = choose_byte (random);
      read_input ((const guint8 *)changed, length);
    }
}

static void
repeat (const char *text, gsize length)
{
  g_autoptr (GString) twice = g_string_new_len (text, (gssize)length);

  g_string_append_len (twice, text, (gssize)length);
  g_string_insert_len (twice, (gssize)length / 2, text, (gssize)length / 2);
  read_input ((const guint8 *)twice->str, twice->len);
}

static guint
read_file (const char *path, GRand *random)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  if (g_str_has_suffix (path, ".expected") || !g_file_get_contents (path, &text, &length, NULL) ||
      length == 0)
    return 0;
  cut (text, length);
  change (text, length, random);
  repeat (text, length);
  return 1;
}

static guint
read_folder (const char *path, GRand *random)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      n += g_file_test (child, G_FILE_TEST_IS_DIR) ? read_folder (child, random) : read_file (child, random);
    }
  return n;
}

static FuzzFunc
find_target (const char *name)
{
  g_autofree char *file = g_strdup_printf ("fuzz-%s.c", name);

  for (guint i = 0; i < n_targets; i++)
    if (g_str_has_suffix (targets[i].file, file) &&
        targets[i].file[strlen (targets[i].file) - strlen (file) - 1] == G_DIR_SEPARATOR)
      return targets[i].read;
  return NULL;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  guint n;

  g_assert_cmpint (argc, ==, 3);
  read_input = find_target (argv[1]);
  g_assert_nonnull (read_input);
  n = read_folder (argv[2], random);
  printf ("%u files\n", n);
  return n > 0 ? 0 : 1;
}
