/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sensors/error.h>
#include <sensors/sensors.h>
#include <stdio.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-paths.h"

static GMutex mutex;
static guint n_holders;

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static void
append_file (GString *text, const char *path)
{
  g_autofree char *contents = NULL;

  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return;
  g_string_append (text, contents);
  g_string_append_c (text, '\n');
}

/* libsensors reads one stream, or files with fixed names that tests could not replace. */
static int
start (void)
{
  g_autoptr (GString) text = g_string_new ("\n");
  g_autofree char *path = dyno_paths_build (DYNO_PATH_ETC, "sensors3.conf", NULL);
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_ETC, "sensors.d", NULL);
  FILE *stream;
  int code;

  append_file (text, path);

  /* Files of the administrator follow the distribution's file, in the order of their names. */
  g_autoptr (GDir) opened = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (opened != NULL && (name = g_dir_read_name (opened)) != NULL)
    if (*name != '.')
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    append_file (text, names->pdata[i]);
  stream = fmemopen (text->str, text->len, "r");
  if (stream == NULL)
    return -SENSORS_ERR_IO;
  code = sensors_init (stream);
  fclose (stream);
  return code;
}

gboolean
dyno_sensors_library_hold (char **reason)
{
  int code;

  g_mutex_lock (&mutex);
  code = n_holders == 0 ? start () : 0;
  if (code == 0)
    n_holders++;
  else if (code != -SENSORS_ERR_KERNEL)
    *reason = g_strdup (sensors_strerror (code));
  g_mutex_unlock (&mutex);
  return code == 0;
}

void
dyno_sensors_library_release (void)
{
  g_mutex_lock (&mutex);
  if (--n_holders == 0)
    sensors_cleanup ();
  g_mutex_unlock (&mutex);
}
