/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-run.h"

static char *
dup_member (JsonObject *object, const char *name)
{
  const char *text = dyno_json_member_get_string (object, name);

  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

DynoRunPlace *
dyno_run_place_new (DynoRun *run)
{
  const char *listed = dyno_run_get_cluster (run);
  const char *machine = dyno_run_get_machine (run);
  const char *text = listed != NULL ? listed : machine;
  g_autoptr (JsonObject) root = dyno_json_try_object (text, -1);
  JsonObject *state = listed == NULL ? dyno_json_member_get_object (root, "state") : NULL;
  JsonObject *cluster = listed != NULL ? root : NULL;
  g_autoptr (DynoRunPlace) self = NULL;

  if (state != NULL)
    cluster = dyno_json_member_get_object (state, "cluster");
  if (cluster == NULL)
    return NULL;
  self = g_new0 (DynoRunPlace, 1);
  self->submission = dup_member (cluster, "submission");
  self->node = dup_member (cluster, "node");
  self->target = dup_member (cluster, "target");
  self->title = dup_member (cluster, "title");
  return self->submission != NULL && self->node != NULL ? g_steal_pointer (&self) : NULL;
}

gboolean
dyno_run_place_is_shared (GPtrArray *runs)
{
  g_autoptr (DynoRunPlace) first = runs->len > 1 ? dyno_run_place_new (runs->pdata[0]) : NULL;

  for (guint i = 1; first != NULL && i < runs->len; i++)
    {
      g_autoptr (DynoRunPlace) other = dyno_run_place_new (runs->pdata[i]);

      if (other == NULL || !g_str_equal (first->submission, other->submission))
        return FALSE;
    }
  return first != NULL;
}

void
dyno_run_place_free (DynoRunPlace *self)
{
  g_free (self->submission);
  g_free (self->node);
  g_free (self->target);
  g_free (self->title);
  g_free (self);
}
