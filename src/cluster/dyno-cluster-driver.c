/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-cluster-driver.h"
#include "dyno-cluster-private.h"
#include "dyno-driver-registry.h"
#include "dyno-error.h"

const DynoClusterDriver *const *
dyno_cluster_driver_list (void)
{
  return drivers;
}

DynoClusterNode *
dyno_cluster_node_new (const char *name, const char *hardware)
{
  DynoClusterNode *self = g_new0 (DynoClusterNode, 1);

  self->name = g_strdup (name);
  self->hardware = g_strdup (hardware);
  return self;
}

void
dyno_cluster_node_free (DynoClusterNode *self)
{
  g_free (self->name);
  g_free (self->hardware);
  g_free (self->partitions);
  g_clear_pointer (&self->seconds, g_array_unref);
  g_clear_pointer (&self->cases, g_array_unref);
  g_free (self);
}

gboolean
dyno_cluster_options_name_stage (DynoClusterOptions *self, GError **error)
{
  if (!self->stages)
    return TRUE;
  self->stage = dyno_cluster_stage_name (self->program, error);
  return self->stage != NULL;
}

gboolean
dyno_cluster_options_need_scheduler (const DynoClusterOptions *self)
{
  return self->constraint != NULL || self->gres != NULL || self->time != NULL || self->account != NULL ||
         self->qos != NULL || self->reservation != NULL || self->nice != NULL || self->begin != NULL ||
         self->priority != NULL || self->shares_nodes;
}

void
dyno_cluster_options_clear (DynoClusterOptions *self)
{
  g_free (self->target);
  g_free (self->program);
  g_free (self->nodes);
  g_free (self->constraint);
  g_free (self->gres);
  g_free (self->time);
  g_free (self->account);
  g_free (self->qos);
  g_free (self->reservation);
  g_free (self->nice);
  g_free (self->begin);
  g_free (self->priority);
  g_free (self->stage);
}

const char *
dyno_cluster_driver_get_argument (const char *target)
{
  const char *colon = strchr (target, ':');

  return colon != NULL && colon[1] != '\0' ? colon + 1 : NULL;
}

const DynoClusterDriver *
dyno_cluster_driver_find (const char *target, GError **error)
{
  gsize length = strcspn (target, ":");
  g_autofree char *list = NULL;

  for (guint i = 0; drivers[i] != NULL; i++)
    if (strlen (drivers[i]->name) == length && strncmp (drivers[i]->name, target, length) == 0 &&
        (target[length] == '\0' || drivers[i]->takes != NULL))
      return drivers[i];
  list = dyno_cluster_driver_list_targets ();
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("Dyno cannot send work to “%s”. It can send work to: %s."), target, list);
  return NULL;
}

char *
dyno_cluster_driver_list_targets (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; drivers[i] != NULL; i++)
    {
      const char *takes = drivers[i]->takes;

      g_string_append_printf (list, "%s%s%s%s", i > 0 ? ", " : "", drivers[i]->name, takes != NULL ? ":" : "",
                              takes != NULL ? takes : "");
    }
  return g_string_free (list, FALSE);
}

char *
dyno_cluster_driver_dup_label (const char *target)
{
  const DynoClusterDriver *driver = dyno_cluster_driver_find (target, NULL);
  const char *argument = dyno_cluster_driver_get_argument (target);

  if (driver == NULL || argument == NULL)
    return g_strdup (driver != NULL ? _ (driver->label) : target);
  /* Translators: where work is sent, such as “Slurm Cluster”, and which part of that, or which machines */
  return g_strdup_printf (_ ("%s: %s"), _ (driver->label), argument);
}

char *
dyno_cluster_driver_write_question (const char *program)
{
  /* A plan of which no case would be measured is also an answer, although the exit status is a failure. */
  return g_strdup_printf (
      "d=$(mktemp -d) && cat > \"$d/plan.json\" && "
      "{ %s run --suite \"$d/plan.json\" --dry-run --json; s=$?; rm -r \"$d\"; [ $s -le 1 ]; }",
      program);
}

char *
dyno_cluster_driver_check_answer (char *answer, const char *messages, GError **error)
{
  g_autofree char *words = g_strstrip (g_strdup (messages != NULL ? messages : ""));

  if (answer == NULL || *answer != '\0')
    return answer;
  g_free (answer);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, words);
  return NULL;
}
