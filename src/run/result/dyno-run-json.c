/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-run-json.h"

char *
dyno_run_json_format_time (gint64 microseconds)
{
  g_autoptr (GDateTime) second =
      microseconds > 0 ? g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC) : NULL;
  g_autoptr (GDateTime) time =
      second != NULL ? g_date_time_add (second, microseconds % G_USEC_PER_SEC) : NULL;

  return time != NULL ? g_date_time_format_iso8601 (time) : NULL;
}

static gint64
read_time (JsonObject *object, const char *name)
{
  const char *text = dyno_json_member_get_string (object, name);
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time) : 0;
}

static char *
dup_tree (JsonObject *object, const char *name)
{
  return dyno_json_member_get_object (object, name) != NULL
             ? dyno_json_text_write (json_object_get_member (object, name), FALSE)
             : NULL;
}

DynoOrigin *
dyno_run_json_read_file (JsonObject *object)
{
  const char *content = dyno_json_member_get_string (object, DYNO_RUN_JSON_ORIGINAL);
  DynoOrigin *origin = dyno_origin_new ();

  origin->file_name = g_strdup (dyno_json_member_get_string (object, "file_name"));
  origin->imported_at = read_time (object, "imported_at");
  origin->hash = g_strdup (dyno_json_member_get_string (object, "sha256"));
  origin->size = dyno_json_member_get_int64 (object, "size", 0);
  if (content != NULL)
    {
      gsize size;
      guchar *compressed = g_base64_decode (content, &size);

      origin->content = g_bytes_new_take (compressed, size);
    }
  return origin;
}

DynoRun *
dyno_run_new_from_json (JsonObject *object)
{
  JsonObject *imported = dyno_json_member_get_object (object, "origin");
  g_autoptr (DynoOrigin) origin = imported != NULL ? dyno_run_json_read_file (imported) : NULL;
  JsonObject *counts = dyno_json_member_get_object (object, "cases");
  g_autoptr (GList) states = counts != NULL ? json_object_get_members (counts) : NULL;
  gint64 n_cases = 0;
  DynoRun *run = dyno_run_new (dyno_json_member_get_string (object, "id"));
  g_autofree char *plan = dup_tree (object, "plan");
  g_autofree char *machine = dup_tree (object, "machine");

  if (origin != NULL)
    {
      origin->dialect = g_strdup (dyno_json_member_get_string (imported, "dialect"));
      origin->tool = g_strdup (dyno_json_member_get_string (imported, "tool"));
      origin->version = g_strdup (dyno_json_member_get_string (imported, "version"));
      origin->extra = dup_tree (imported, "extra");
    }
  /* Cases without a record are counted as well. */
  for (GList *l = states; l != NULL; l = l->next)
    n_cases += CLAMP (dyno_json_member_get_int64 (counts, l->data, 0), 0, G_MAXINT);
  g_object_set (run, "title", dyno_json_member_get_string (object, "title"), "notes",
                dyno_json_member_get_string (object, "notes"), "started-at", read_time (object, "started_at"),
                "finished-at", read_time (object, "finished_at"), "source",
                dyno_json_member_get_string (object, "source"), "app-version",
                dyno_json_member_get_string (object, "app_version"), "plan", plan, "machine", machine,
                "n-cases", (guint)MIN (n_cases, G_MAXINT), NULL);
  dyno_run_set_origin (run, origin);
  return run;
}
