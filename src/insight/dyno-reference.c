/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-grade.h"
#include "dyno-insight-resources.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-run-json.h"
#include "dyno-run-summary.h"
#include "dyno-score.h"
#include "dyno-text.h"

#define FILE_PATH "/io/github/dynobench/Dyno/insight/reference.json"

static gpointer
load_bundled (gpointer data)
{
  static gsize is_registered;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  DynoReference *self;

  dyno_resource_ensure (&is_registered, dyno_insight_register_resource);
  bytes = g_resources_lookup_data (FILE_PATH, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  self = dyno_reference_new (g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  return self;
}

const DynoReference *
dyno_reference_get_bundled (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, load_bundled, NULL);
}

DynoReference *
dyno_reference_new (const char *json, gssize length, GError **error)
{
  g_autoptr (JsonObject) root = dyno_json_parse_object (json, length, _ ("the reference"), error);
  JsonArray *runs = root != NULL ? dyno_json_member_get_array (root, "runs") : NULL;
  JsonObject *object =
      runs != NULL && json_array_get_length (runs) == 1 ? dyno_json_member_get_element (runs, 0) : NULL;
  JsonArray *results = dyno_json_member_get_array (object, "results");
  g_autoptr (DynoReference) self = NULL;

  if (root != NULL && results == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("The reference holds no run."));
  if (results == NULL)
    return NULL;
  self = g_new0 (DynoReference, 1);
  self->run = dyno_run_new_from_json (object);
  self->suite =
      g_strdup (dyno_json_member_get_string (dyno_json_member_get_object (object, "plan"), "title"));
  self->commit = g_strdup (dyno_json_member_get_string (root, "commit"));
  for (guint i = 0; i < json_array_get_length (results); i++)
    {
      g_autoptr (DynoResult) result =
          dyno_result_new_from_json (dyno_json_member_get_element (results, i), error);

      if (result == NULL)
        return NULL;
      dyno_run_add_result (self->run, result);
    }
  return g_steal_pointer (&self);
}

void
dyno_reference_free (DynoReference *self)
{
  g_object_unref (self->run);
  g_free (self->suite);
  g_free (self->commit);
  g_free (self);
}

char *
dyno_reference_dup_text (const DynoReference *self)
{
  g_autofree char *machine = dyno_machine_dup_summary (dyno_run_get_machine (self->run));
  g_autofree char *day = dyno_date_format (dyno_run_get_started_at (self->run));
  g_autofree char *tool = dyno_run_dup_tool (self->run);
  g_autofree char *engines = dyno_run_engines_dup (self->run);
  g_autofree char *grades = dyno_run_dup_outcome (self->run);

  const char *parts[] = { machine, day, tool, engines, grades };
  g_autoptr (GPtrArray) known = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_ptr_array_add (known, (gpointer)parts[i]);
  g_ptr_array_add (known, NULL);
  return g_strjoinv (" · ", (char **)known->pdata);
}
