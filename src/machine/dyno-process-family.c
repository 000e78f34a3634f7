/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-process-family.h"
#include "dyno-system-file.h"

/* Fields of a process's stat, counted from the state, which follows the name in brackets. */
#define FIELD_STATE         0
#define FIELD_PARENT        1
#define FIELD_UTIME         11
#define FIELD_CHILDREN_TIME 14 /* the system's, the last of the four times */
#define N_FIELDS            (FIELD_CHILDREN_TIME + 1)

/* A name may contain anything, also brackets and spaces. */
static char **
read_fields (const char *process)
{
  g_autofree char *path = g_build_filename (process, "stat", NULL);
  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);
  const char *end_of_name = text != NULL ? strrchr (text, ')') : NULL;
  g_auto (GStrv) fields = NULL;

  if (end_of_name == NULL || end_of_name[1] != ' ')
    return NULL;
  fields = g_strsplit (end_of_name + 2, " ", N_FIELDS + 1);
  return g_strv_length (fields) >= N_FIELDS ? g_steal_pointer (&fields) : NULL;
}

static void
add_member (GArray *family, GPid pid)
{
  for (guint i = 0; i < family->len; i++)
    if (g_array_index (family, GPid, i) == pid)
      return;
  g_array_append_val (family, pid);
}

/* Adds the children of all threads of a process. The kernel may leave one out while another one ends, as may a look at every
 * process of the machine. */
static void
add_children (GArray *family, GPid pid)
{
  g_autofree char *folder = g_strdup_printf ("%d/task", pid);
  g_auto (GStrv) threads = dyno_system_file_list (DYNO_PATH_PROCFS, folder);

  for (char **thread = threads; *thread != NULL; thread++)
    {
      g_autofree char *path = g_build_filename (folder, *thread, "children", NULL);
      g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);
      g_auto (GStrv) children = g_strsplit (text != NULL ? text : "", " ", -1);

      for (char **child = children; *child != NULL; child++)
        add_member (family, (GPid)g_ascii_strtoll (*child, NULL, 10));
    }
}

/* For kernels that keep no lists of children: reads a file of every process of the machine, which takes milliseconds. */
static void
add_descendants_of_all (GArray *family)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_PROCFS, "");
  g_autoptr (GHashTable) parents = g_hash_table_new (NULL, NULL);

  for (char **name = names; *name != NULL; name++)
    {
      g_auto (GStrv) fields = g_ascii_isdigit (**name) ? read_fields (*name) : NULL;

      if (fields != NULL)
        g_hash_table_insert (parents, GINT_TO_POINTER (g_ascii_strtoll (*name, NULL, 10)),
                             GINT_TO_POINTER (g_ascii_strtoll (fields[FIELD_PARENT], NULL, 10)));
    }
  for (guint i = 0; i < family->len; i++)
    {
      GHashTableIter iter;
      gpointer child, parent;

      g_hash_table_iter_init (&iter, parents);
      while (g_hash_table_iter_next (&iter, &child, &parent))
        if (GPOINTER_TO_INT (parent) == g_array_index (family, GPid, i))
          add_member (family, GPOINTER_TO_INT (child));
    }
}

GArray *
dyno_process_family_list_all (const GPid *pids, guint n_pids)
{
  GArray *family = g_array_new (FALSE, FALSE, sizeof (GPid));
  gboolean has_lists = FALSE;

  for (guint i = 0; i < n_pids; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", pids[i]);
      g_auto (GStrv) fields = read_fields (name);
      g_autofree char *children = dyno_paths_build (DYNO_PATH_PROCFS, name, "task", name, "children", NULL);

      if (fields == NULL)
        continue;
      add_member (family, pids[i]);
      has_lists = has_lists || g_file_test (children, G_FILE_TEST_EXISTS);
    }
  if (!has_lists)
    add_descendants_of_all (family);
  for (guint i = 0; has_lists && i < family->len; i++)
    add_children (family, g_array_index (family, GPid, i));
  return family;
}

GArray *
dyno_process_family_list (GPid pid)
{
  return dyno_process_family_list_all (&pid, 1);
}

gint64
dyno_process_family_read_all_ticks (const GPid *pids, guint n_pids)
{
  g_autoptr (GArray) family = dyno_process_family_list_all (pids, n_pids);
  gint64 ticks = 0;

  for (guint i = 0; i < family->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", g_array_index (family, GPid, i));
      g_auto (GStrv) fields = read_fields (name);

      for (guint k = FIELD_UTIME; fields != NULL && k <= FIELD_CHILDREN_TIME; k++)
        ticks += g_ascii_strtoll (fields[k], NULL, 10);
    }
  return family->len > 0 ? ticks : -1;
}

gint64
dyno_process_family_read_ticks (GPid pid)
{
  return dyno_process_family_read_all_ticks (&pid, 1);
}

gboolean
dyno_process_family_is_suspended (GPid pid)
{
  g_autofree char *name = g_strdup_printf ("%d", pid);
  g_auto (GStrv) fields = read_fields (name);

  return fields != NULL && (*fields[FIELD_STATE] == 'T' || *fields[FIELD_STATE] == 't');
}
