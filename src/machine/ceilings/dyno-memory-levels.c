/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-machine-ceilings-private.h"

/* A rate below this share of the level's rate belongs to the next level. */
#define SAME_LEVEL 0.8

/* Up to this many times the end of a level, some accesses still hit it: the slope to the next level. */
#define SLOPE 3

static hwloc_obj_t
get_cache_of (DynoTopology *topology, guint processor, guint level)
{
  hwloc_obj_t object = hwloc_get_pu_obj_by_os_index (topology, processor);

  for (guint n_seen = 0; object != NULL; object = object->parent)
    if (hwloc_obj_type_is_dcache (object->type) && n_seen++ == level)
      return object;
  return NULL;
}

void
dyno_memory_levels_read_hints (DynoMemoryLevels *self, DynoTopology *topology, guint processor)
{
  hwloc_obj_t cache;

  *self = (DynoMemoryLevels){ 0 };
  while (self->n_caches < DYNO_MAX_CACHE_LEVELS &&
         (cache = get_cache_of (topology, processor, self->n_caches)) != NULL)
    {
      self->hints[self->n_caches] = cache->attr->cache.size;
      self->ends[self->n_caches] = cache->attr->cache.size;
      self->n_caches++;
    }
}

/* A single slow point is a disturbance; two mark the end. */
static gsize
walk_plateau (const gsize *sizes, const double *rates, guint n_points, guint first, gsize hint)
{
  gsize up_to = MIN (2 * sizes[first], hint);
  double best = rates[first];

  for (guint i = first; i < n_points && sizes[i] <= up_to; i++)
    best = MAX (best, rates[i]);

  double enough = SAME_LEVEL * best;
  gsize end = sizes[first];

  for (guint i = first; i < n_points && sizes[i] <= hint; i++)
    if (rates[i] >= enough)
      end = sizes[i];
    else if (i + 1 == n_points || rates[i + 1] < enough)
      break;
  return end;
}

void
dyno_memory_levels_find_ends (DynoMemoryLevels *self, const gsize *sizes, const double *rates, guint n_points)
{
  gsize from = 0;

  for (guint level = 0; level < self->n_caches; level++)
    {
      guint first = 0;

      while (first < n_points && sizes[first] < from)
        first++;

      self->ends[level] = self->hints[level];
      if (first < n_points && sizes[first] <= self->hints[level])
        self->ends[level] = walk_plateau (sizes, rates, n_points, first, self->hints[level]);
      from = SLOPE * self->ends[level];
    }
}

guint
dyno_memory_levels_count_sharers (DynoTopology *topology, const DynoCpuSet *team, guint level)
{
  guint most = 1;

  for (int processor = hwloc_bitmap_first (team); processor >= 0;
       processor = hwloc_bitmap_next (team, processor))
    {
      hwloc_obj_t cache = get_cache_of (topology, processor, level);
      g_autoptr (DynoCpuSet) common = hwloc_bitmap_alloc ();

      if (cache != NULL)
        hwloc_bitmap_and (common, team, cache->cpuset);
      most = MAX (most, (guint)hwloc_bitmap_weight (common));
    }
  return most;
}

guint
dyno_memory_levels_count_caches (DynoTopology *topology, const DynoCpuSet *team, guint level)
{
  g_autoptr (GHashTable) caches = g_hash_table_new (NULL, NULL);

  for (int processor = hwloc_bitmap_first (team); processor >= 0;
       processor = hwloc_bitmap_next (team, processor))
    {
      hwloc_obj_t cache = get_cache_of (topology, processor, level);

      if (cache != NULL)
        g_hash_table_add (caches, cache);
    }
  return MAX (g_hash_table_size (caches), 1);
}
