/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "dyno-disturbance.h"
#include "dyno-machine-private.h"
#include "dyno-machine.h"
#include "dyno-memory-modules.h"
#include "dyno-paths.h"
#include "dyno-sensor-source.h"
#include "fuzz-corpus.h"

/* Whatever the kernel's files hold, the machine is described, and its sensors give finite numbers or none.
 *
 * A line “=PATH” of an input begins a file below a made-up root; the lines up to the next one are its text. */

#define MOST_FILES 40

static void
write_file (const char *root, const char *name, const char *text, GPtrArray *paths)
{
  g_autofree char *path = g_canonicalize_filename (name + strspn (name, "/"), root);
  g_autofree char *folder = g_path_get_dirname (path);
  FILE *file;

  /* The root itself, or a place outside of it. */
  if (strlen (path) > 200 || !g_str_has_prefix (path, root) || path[strlen (root)] != '/')
    return;
  g_mkdir_with_parents (folder, 0700);
  /* Not where another file has its folder. */
  file = g_fopen (path, "we");
  if (file == NULL)
    return;
  fputs (text, file);
  fclose (file);
  g_ptr_array_add (paths, g_steal_pointer (&path));
}

/* Returns the paths of the files. */
static GPtrArray *
write_tree (const char *root, const char *text)
{
  g_autofree char *with_start = g_strconcat ("\n", text, NULL);
  g_auto (GStrv) files = g_strsplit (with_start, "\n=", MOST_FILES);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; files[0] != NULL && files[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (files[i], "\n", 2);

      if (parts[0] != NULL && *parts[0] != '\0')
        write_file (root, parts[0], parts[1] != NULL ? parts[1] : "", paths);
    }
  return paths;
}

/* Each file with the folders that are empty without it. */
static void
remove_tree (const char *root, GPtrArray *paths)
{
  for (guint i = 0; i < paths->len; i++)
    {
      char *path = paths->pdata[i];

      while (g_remove (path) == 0 && strlen (path) > strlen (root))
        *strrchr (path, '/') = '\0';
    }
}

static void
set_roots (const char *root)
{
  g_autofree char *sysfs = root != NULL ? g_build_filename (root, "sys", NULL) : NULL;
  g_autofree char *procfs = root != NULL ? g_build_filename (root, "proc", NULL) : NULL;

  dyno_paths_set_root (DYNO_PATH_SYSFS, sysfs);
  dyno_paths_set_root (DYNO_PATH_PROCFS, procfs);
}

static void
read_machine (void)
{
  DynoContainer container = { 0 };
  g_autoptr (JsonObject) state = NULL;
  g_autoptr (JsonObject) cloud = NULL;
  g_autofree char *derivation = NULL;

  dyno_container_read (&container);
  g_assert_true (container.cpu_limit > 0 && container.memory_limit >= 0);
  state = dyno_machine_state_read (&container);
  g_assert_cmpuint (json_object_get_size (state), >, 0);
  cloud = dyno_cloud_read ();
  g_assert_true (cloud == NULL || json_object_has_member (cloud, "provider"));
  g_assert_cmpfloat (dyno_memory_modules_derive_bandwidth (&derivation), >=, 0);
  g_assert_true (g_utf8_validate (derivation, -1, NULL));
}

static void
read_sensors (void)
{
  static const DynoSensorSource *const sources[] = { &dyno_rapl_source, &dyno_battery_source,
                                                     &dyno_cpu_source, &dyno_perf_source, &dyno_drm_source };
  g_autoptr (GPtrArray) sensors = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (DynoProbe) probe = sources[i]->discover (sensors, 65);

      g_assert_nonnull (probe);
    }
  for (guint i = 0; i < sensors->len; i++)
    {
      gint64 time_ns;
      double value = 0;

      if (dyno_sensor_read (sensors->pdata[i], &time_ns, &value))
        g_assert_true (value - value == 0);
    }
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autofree char *root = g_build_filename (fuzz_file_get_folder (), "tree", NULL);
  g_autoptr (GPtrArray) paths = write_tree (root, text);

  set_roots (root);
  read_machine ();
  read_sensors ();
  set_roots (NULL);
  remove_tree (root, paths);
}

FUZZ_TARGET (read_input)
