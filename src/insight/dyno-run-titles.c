/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-run.h"
#include "dyno-run-summary.h"

static char *
dup_free_title (GHashTable *taken, const char *title)
{
  char *numbered = g_strdup (title);

  for (guint number = 2; g_hash_table_contains (taken, numbered); number++)
    {
      g_free (numbered);
      /* Translators: the title of a run, and its number among the runs with that title */
      numbered = g_strdup_printf (_ ("%s (%u)"), title, number);
    }
  return numbered;
}

char **
dyno_run_titles_dup (GPtrArray *runs)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  gboolean by_node;

  g_return_val_if_fail (runs != NULL, NULL);
  by_node = dyno_run_place_is_shared (runs);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      /* The runs of one submission differ in their nodes. */
      g_autoptr (DynoRunPlace) place = by_node ? dyno_run_place_new (run) : NULL;
      const char *given = dyno_run_get_title (run);
      const char *title = place != NULL                     ? place->node
                          : given != NULL && *given != '\0' ? given
                                                            : dyno_run_get_id (run);

      g_ptr_array_add (titles, dup_free_title (taken, title));
      g_hash_table_add (taken, g_ptr_array_index (titles, i));
    }
  g_ptr_array_add (titles, NULL);
  return (char **)g_ptr_array_steal (titles, NULL);
}
