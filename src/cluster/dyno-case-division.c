/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-case.h"
#include "dyno-cluster-driver.h"

/* The cases of one device. */
typedef struct
{
  GArray *ordinals;
  guint n_capable; /* nodes that can measure any of them */
  double seconds;  /* by the first of these */
} Group;

typedef struct
{
  guint ordinal;
  double seconds;
} Item;

typedef struct
{
  GPtrArray *cases;
  GPtrArray *nodes;
  guint *kinds;    /* for each node, the first node that is like it */
  double *free_at; /* for each node, in seconds from now */
  guint *owners;   /* the node of each case */
} Division;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_array_unref (self->ordinals);
  g_free (self);
}

static void
division_clear (Division *self)
{
  g_free (self->kinds);
  g_free (self->free_at);
  g_free (self->owners);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Division, division_clear)

/* Returns NAN if the case cannot be measured there. A node that could not be asked is assumed to measure it. */
static double
get_seconds (const Division *self, guint node, const Group *group, guint i)
{
  GArray *known = ((const DynoClusterNode *)self->nodes->pdata[node])->seconds;
  guint ordinal = g_array_index (group->ordinals, guint, i);

  return known != NULL && ordinal < known->len ? g_array_index (known, double, ordinal)
                                               : dyno_case_get_expected_seconds (self->cases->pdata[ordinal]);
}

/* @seconds: what those take that can be measured there. */
static guint
count_measured (const Division *self, guint node, const Group *group, double *seconds)
{
  guint n_measured = 0;

  *seconds = 0;
  for (guint i = 0; i < group->ordinals->len; i++)
    {
      double one = get_seconds (self, node, group, i);

      n_measured += isfinite (one);
      *seconds += isfinite (one) ? one : 0;
    }
  return n_measured;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *one = a;
  const Item *other = b;

  return one->seconds != other->seconds ? (one->seconds < other->seconds) - (one->seconds > other->seconds)
                                        : (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* The group that the fewest nodes can measure chooses first; among equals, the one that takes longest. */
static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *one = *(const Group *const *)a;
  const Group *other = *(const Group *const *)b;

  return one->n_capable != other->n_capable
             ? (one->n_capable > other->n_capable) - (one->n_capable < other->n_capable)
             : (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

/* Gives each case, the longest first, to the node of this kind that is free first. Returns when the last of
 * them is done. @free_at: changed accordingly. */
static double
place (const Division *self, const Group *group, guint kind, double *free_at)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  double last = 0;

  for (guint i = 0; i < group->ordinals->len; i++)
    {
      double seconds = get_seconds (self, kind, group, i);
      Item item = { g_array_index (group->ordinals, guint, i), isfinite (seconds) ? seconds : 0 };

      g_array_append_val (items, item);
    }
  g_array_sort (items, compare_items);
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);
      guint best = kind;

      for (guint node = kind + 1; node < self->nodes->len; node++)
        if (self->kinds[node] == kind && free_at[node] < free_at[best])
          best = node;
      free_at[best] += item->seconds;
      self->owners[item->ordinal] = best;
      last = fmax (last, free_at[best]);
    }
  return last;
}

static GPtrArray *
list_groups (const Division *self)
{
  g_autoptr (GHashTable) by_device = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);

  for (guint i = 0; i < self->cases->len; i++)
    {
      DynoCase *kase = self->cases->pdata[i];
      g_autofree char *device =
          g_strconcat (dyno_case_get_backend (kase), ":", dyno_case_get_device (kase), NULL);
      Group *group = g_hash_table_lookup (by_device, device);

      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->ordinals = g_array_new (FALSE, FALSE, sizeof (guint));
          g_ptr_array_add (groups, group);
          g_hash_table_insert (by_device, g_steal_pointer (&device), group);
        }
      g_array_append_val (group->ordinals, i);
    }
  for (guint i = 0; i < groups->len; i++)
    for (guint node = 0; node < self->nodes->len; node++)
      {
        Group *group = groups->pdata[i];
        double seconds;

        if (count_measured (self, node, group, &seconds) > 0 && group->n_capable++ == 0)
          group->seconds = seconds;
      }
  g_ptr_array_sort (groups, compare_groups);
  return groups;
}

/* Numbers from different hardware are no comparison, so a group goes to nodes of one kind. */
void
dyno_case_division_make (GPtrArray *cases, GPtrArray *nodes)
{
  g_autoptr (GHashTable) by_hardware = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (Division) self = { cases, nodes, g_new (guint, nodes->len), g_new (double, nodes->len),
                             g_new0 (guint, cases->len) };
  g_autoptr (GPtrArray) groups = list_groups (&self);

  for (guint i = 0; i < nodes->len; i++)
    {
      DynoClusterNode *node = nodes->pdata[i];
      gpointer first;

      self.kinds[i] = i;
      if (node->hardware != NULL && g_hash_table_lookup_extended (by_hardware, node->hardware, NULL, &first))
        self.kinds[i] = GPOINTER_TO_UINT (first);
      else if (node->hardware != NULL)
        g_hash_table_insert (by_hardware, node->hardware, GUINT_TO_POINTER (i));
      self.free_at[i] = node->free_in;
      g_clear_pointer (&node->cases, g_array_unref);
      node->cases = g_array_new (FALSE, FALSE, sizeof (guint));
    }
  for (guint i = 0; i < groups->len; i++)
    {
      double earliest = INFINITY, seconds;
      guint most = 0, chosen = 0;

      for (guint node = 0; node < nodes->len; node++)
        {
          g_autofree double *trial = g_memdup2 (self.free_at, nodes->len * sizeof (double));
          guint n_measured = count_measured (&self, node, groups->pdata[i], &seconds);
          double last = self.kinds[node] == node && n_measured >= most
                            ? place (&self, groups->pdata[i], node, trial)
                            : INFINITY;

          if (last == INFINITY || (n_measured == most && last >= earliest))
            continue;
          most = n_measured;
          earliest = last;
          chosen = node;
        }
      place (&self, groups->pdata[i], chosen, self.free_at);
    }
  for (guint i = 0; i < cases->len; i++)
    g_array_append_val (((DynoClusterNode *)nodes->pdata[self.owners[i]])->cases, i);
  for (guint i = 0; i < nodes->len; i++)
    ((DynoClusterNode *)nodes->pdata[i])->done_in = self.free_at[i];
}
