/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-task-group.h"

/* Longer numbers count as part of the name. */
#define MAX_DIGITS 15

static void
dyno_task_group_free (DynoTaskGroup *self)
{
  g_free (self->reason);
  g_ptr_array_unref (self->nodes);
  g_free (self);
}

GPtrArray *
dyno_task_groups_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_task_group_free);
}

void
dyno_task_groups_add (GPtrArray *groups, const DynoClusterTask *task)
{
  DynoTaskGroup *group;

  for (guint i = 0; i < groups->len; i++)
    {
      group = groups->pdata[i];
      if (group->state != task->state || g_strcmp0 (group->reason, task->reason) != 0)
        continue;
      g_ptr_array_add (group->nodes, g_strdup (task->node));
      return;
    }
  group = g_new (DynoTaskGroup, 1);
  *group = (DynoTaskGroup){ task->state, g_strdup (task->reason), g_ptr_array_new_with_free_func (g_free) };
  g_ptr_array_add (group->nodes, g_strdup (task->node));
  g_ptr_array_add (groups, group);
}

/* Names that differ only in their last number. */
typedef struct
{
  char *head;
  char *tail;
  GString *numbers;
  char *first;
  char *last;
  guint n_ranges;
} Series;

static void
series_free (Series *self)
{
  g_free (self->head);
  g_free (self->tail);
  g_free (self->first);
  g_free (self->last);
  g_string_free (self->numbers, TRUE);
  g_free (self);
}

static void
end_range (Series *self)
{
  gboolean is_single = g_str_equal (self->first, self->last);

  g_string_append_printf (self->numbers, "%s%s%s%s", self->n_ranges > 0 ? "," : "", self->first,
                          is_single ? "" : "-", is_single ? "" : self->last);
  self->n_ranges++;
}

static Series *
find_series (GPtrArray *all, const char *head, const char *tail)
{
  Series *series;

  for (guint i = 0; i < all->len; i++)
    {
      series = all->pdata[i];
      if (g_str_equal (series->head, head) && g_str_equal (series->tail, tail))
        return series;
    }
  series = g_new0 (Series, 1);
  series->head = g_strdup (head);
  series->tail = g_strdup (tail);
  series->numbers = g_string_new (NULL);
  g_ptr_array_add (all, series);
  return series;
}

static void
add_name (GPtrArray *all, const char *name)
{
  const char *end = name + strlen (name);
  const char *begin;
  Series *series;
  g_autofree char *head = NULL;
  g_autofree char *number = NULL;
  g_autofree char *next = NULL;

  while (end > name && !g_ascii_isdigit (end[-1]))
    end--;
  for (begin = end; begin > name && g_ascii_isdigit (begin[-1]) && end - begin < MAX_DIGITS;)
    begin--;
  head = begin < end ? g_strndup (name, (gsize)(begin - name)) : g_strdup (name);
  number = g_strndup (begin, (gsize)(end - begin));
  series = find_series (all, head, begin < end ? end : "");
  /* 009 is followed by 010, and 9 by 10. */
  if (series->last != NULL)
    next = g_strdup_printf ("%0*" G_GUINT64_FORMAT, (int)strlen (series->last),
                            g_ascii_strtoull (series->last, NULL, 10) + 1);
  if (next != NULL && !g_str_equal (next, number))
    {
      end_range (series);
      g_clear_pointer (&series->first, g_free);
    }
  if (series->first == NULL)
    series->first = g_strdup (number);
  g_free (series->last);
  series->last = g_strdup (number);
}

char *
dyno_task_group_dup_nodes (const DynoTaskGroup *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify)series_free);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->nodes->len; i++)
    add_name (all, self->nodes->pdata[i]);
  for (guint i = 0; i < all->len; i++)
    {
      Series *series = all->pdata[i];
      gboolean is_several;

      end_range (series);
      is_several = strpbrk (series->numbers->str, ",-") != NULL;
      g_string_append_printf (text, "%s%s%s%s%s%s", text->len > 0 ? ", " : "", series->head,
                              is_several ? "[" : "", series->numbers->str, is_several ? "]" : "",
                              series->tail);
    }
  return g_string_free (text, FALSE);
}
