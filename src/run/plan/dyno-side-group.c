/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-case-check.h"
#include "dyno-prober.h"

static void
side_group_free (gpointer data)
{
  DynoSideGroup *self = data;

  g_ptr_array_unref (self->cases);
  g_free (self->obstacle);
  g_free (self);
}

static DynoDevice *
find_device (DynoCase *kase)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);
  g_autoptr (DynoProbe) probe =
      backend != NULL ? dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL)
                      : NULL;
  DynoDevice *device =
      probe != NULL ? dyno_backend_find_device (backend, probe, dyno_case_get_device (kase)) : NULL;

  return device != NULL ? g_object_ref (device) : NULL;
}

/* Returns why the case leaves no room for another one, or NULL. */
static char *
explain_case (DynoCase *kase)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);
  const char *reason = backend != NULL ? dyno_backend_get_runs_alone (backend) : NULL;
  g_autoptr (DynoDevice) device = NULL;
  DynoLoad load;

  if (reason != NULL)
    return g_strdup (reason);
  if (!dyno_load_parse (dyno_case_get_load (kase), &load, NULL) || load.shape != DYNO_LOAD_SINGLE)
    return g_strdup (_ ("Requests of a case under load cannot wait while another case has its turn."));
  device = find_device (kase);
  if (device == NULL)
    return NULL;

  switch (dyno_device_get_kind (device))
    {
    case DYNO_DEVICE_KIND_NPU:
      return g_strdup_printf (_ ("“%s” may work for one process only."), dyno_device_get_name (device));
    case DYNO_DEVICE_KIND_SERVER:
    case DYNO_DEVICE_KIND_REMOTE:
      return g_strdup (_ ("A server cannot be stopped while another case has its turn."));
    case DYNO_DEVICE_KIND_DISCRETE_GPU:
      return dyno_device_get_memory (device) > 0
                 ? NULL
                 : g_strdup_printf (_ ("How much memory “%s” has is not known."),
                                    dyno_device_get_name (device));
    case DYNO_DEVICE_KIND_UNKNOWN:
    case DYNO_DEVICE_KIND_CPU:
    case DYNO_DEVICE_KIND_INTEGRATED_GPU:
    case DYNO_DEVICE_KIND_SOFTWARE:
    case DYNO_DEVICE_KIND_EMULATED:
    default:
      return NULL;
    }
}

static char *
explain_memory (GPtrArray *cases, DynoMachine *machine)
{
  gint64 available = dyno_machine_get_available_memory (machine);
  gint64 sum = 0;

  for (guint i = 0; i < cases->len; i++)
    sum += dyno_case_estimate_bytes (cases->pdata[i], FALSE);
  if (available > 0 && sum > available)
    return g_strdup_printf (_ ("Together they need about %.1f GB of memory, but %.1f GB are available."),
                            (double)sum / 1e9, (double)available / 1e9);

  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (DynoDevice) device = find_device (cases->pdata[i]);
      gint64 *needed;

      if (device == NULL || dyno_device_get_kind (device) != DYNO_DEVICE_KIND_DISCRETE_GPU)
        continue;
      needed = g_hash_table_lookup (sums, dyno_device_get_name (device));
      if (needed == NULL)
        {
          needed = g_new0 (gint64, 1);
          g_hash_table_insert (sums, g_strdup (dyno_device_get_name (device)), needed);
        }
      *needed += dyno_case_estimate_bytes (cases->pdata[i], TRUE);
      if (*needed > dyno_device_get_memory (device))
        return g_strdup_printf (_ ("Together they need about %.1f GB of memory on “%s”, which has %.1f GB."),
                                (double)*needed / 1e9, dyno_device_get_name (device),
                                (double)dyno_device_get_memory (device) / 1e9);
    }
  return NULL;
}

static DynoSideGroup *
add_group (GPtrArray *groups)
{
  DynoSideGroup *group = g_new0 (DynoSideGroup, 1);

  group->cases = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (groups, group);
  return group;
}

/* A case that leaves no room beside it gets a group of its own, so that it keeps no others from their turns. */
static void
part (DynoSideGroup *group, DynoMachine *machine, GPtrArray *groups)
{
  const char *first_reason = NULL;

  for (guint i = 0; i < group->cases->len;)
    {
      char *reason = explain_case (group->cases->pdata[i]);
      DynoSideGroup *alone;

      if (reason == NULL)
        {
          i++;
          continue;
        }
      alone = add_group (groups);
      alone->obstacle = reason;
      g_ptr_array_add (alone->cases, g_ptr_array_steal_index (group->cases, i));
      first_reason = first_reason != NULL ? first_reason : reason;
    }
  if (group->cases->len > 1)
    group->obstacle = explain_memory (group->cases, machine);
  else if (group->cases->len == 1)
    group->obstacle = g_strdup (first_reason);
}

char *
dyno_case_dup_work (DynoCase *self)
{
  g_autofree char *sizes = dyno_case_dup_sizes (self, TRUE);

  return g_strdup_printf ("%s%s|%s|%s|%s", dyno_case_get_model (self), sizes, dyno_case_get_dimensions (self),
                          dyno_case_get_inputs (self), dyno_case_get_load (self));
}

GPtrArray *
dyno_side_group_list (GPtrArray *cases, DynoMachine *machine)
{
  g_autoptr (GHashTable) by_work = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *groups = g_ptr_array_new_with_free_func (side_group_free);

  for (guint i = 0; i < cases->len; i++)
    {
      g_autofree char *work = dyno_case_dup_work (cases->pdata[i]);
      DynoSideGroup *group = g_hash_table_lookup (by_work, work);

      if (group == NULL)
        {
          group = add_group (groups);
          g_hash_table_insert (by_work, g_steal_pointer (&work), group);
        }
      g_ptr_array_add (group->cases, g_object_ref (cases->pdata[i]));
    }
  for (guint i = groups->len; i > 0; i--)
    {
      DynoSideGroup *group = groups->pdata[i - 1];

      if (group->cases->len > 1)
        part (group, machine, groups);
      if (group->cases->len < 2 && group->obstacle == NULL)
        g_ptr_array_remove_index (groups, i - 1);
    }
  return groups;
}
