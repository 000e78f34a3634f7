/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "dyno-cluster-private.h"
#include "dyno-error.h"
#include "dyno-paths.h"

static gboolean
add_program (GChecksum *sum, const char *path, GError **error)
{
  g_autofree char *content = NULL;
  gsize length;

  if (!g_file_get_contents (path, &content, &length, error))
    return FALSE;
  g_checksum_update (sum, (const guchar *)content, (gssize)length);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char *
dyno_cluster_stage_name (const char *program, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *worker = dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (!add_program (sum, program, error) || !add_program (sum, worker, error))
    return NULL;

  /* Each engine's folder is named after its release. */
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_checksum_update (sum, names->pdata[i], (gssize)strlen (names->pdata[i]) + 1);
  return g_strndup (g_checksum_get_string (sum), 16);
}

gboolean
dyno_cluster_stage_check_machine (const char *node, const char *machine, GError **error)
{
  struct utsname here;

  if (uname (&here) != 0 || g_str_equal (here.machine, machine))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("“%s” has the instruction set %s, and this Dyno is built for %s. Install Dyno there, and "
                  "leave out --stage."),
               node, machine, here.machine);
  return FALSE;
}

/* Adds “-C FOLDER NAME”, for tar. */
static void
add_file (GString *command, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *quoted_folder = g_shell_quote (folder);
  g_autofree char *quoted_name = g_shell_quote (name);

  g_string_append_printf (command, " -C %s %s", quoted_folder, quoted_name);
}

char *
dyno_cluster_stage_write_pack (const char *program)
{
  GString *command = g_string_new ("tar -chf -");
  g_autofree char *worker = dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
  g_autofree char *runtimes = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);

  add_file (command, program);
  add_file (command, worker);
  if (g_file_test (runtimes, G_FILE_TEST_IS_DIR))
    add_file (command, runtimes);
  return g_string_free (command, FALSE);
}

char *
dyno_cluster_stage_write_unpack (const char *folder, const char *program)
{
  g_autofree char *name = g_path_get_basename (program);
  g_autofree char *runtimes_path = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);
  g_autofree char *runtimes = g_path_get_basename (runtimes_path);
  g_autofree char *start =
      g_strdup_printf ("#!/bin/sh\nd=$(dirname \"$(readlink -f \"$0\")\")\n"
                       "DYNO_LIBEXEC_DIR=$d DYNO_RUNTIMES_DIR=\"$d/%s\" exec \"$d/%s\" \"$@\"\n",
                       runtimes, name);
  g_autofree char *quoted = g_shell_quote (start);

  return g_strdup_printf (
      "if [ ! -x %s/dyno ]; then mkdir -p %s && tar -xf - -C %s && printf %%s %s > %s/dyno.new && "
      "chmod 755 %s/dyno.new && mv %s/dyno.new %s/dyno; fi",
      folder, folder, folder, quoted, folder, folder, folder, folder);
}
