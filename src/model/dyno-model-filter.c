/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-model-filter.h"
#include "dyno-model-needs.h"

gboolean
dyno_model_filter_matches (const DynoModelFilter *self, DynoModel *model)
{
  const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));

  return (self->family == NULL || g_str_equal (self->family, dyno_model_get_family (model))) &&
         (self->task == NULL || g_strcmp0 (self->task, dyno_model_get_task (model)) == 0) &&
         (self->size == NULL || (size != NULL && g_str_equal (self->size, size->id)));
}

void
dyno_model_filter_clear (DynoModelFilter *self)
{
  g_clear_pointer (&self->family, g_free);
  g_clear_pointer (&self->task, g_free);
  g_clear_pointer (&self->size, g_free);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
dyno_model_filter_list_tasks (GListModel *models)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (models); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (models, i);
      const char *task = dyno_model_get_task (model);

      if (task != NULL && *task != '\0' && !g_hash_table_contains (seen, task))
        {
          char *copy = g_strdup (task);

          g_hash_table_add (seen, copy);
          g_ptr_array_add (tasks, copy);
        }
    }
  g_ptr_array_sort (tasks, compare_texts);
  g_ptr_array_add (tasks, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&tasks), FALSE);
}
