/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>

#include "dyno-browser.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-paths.h"

/* A browser that takes longer to open a page leaves no time for the next. */
#define LOOK_SECONDS   15
#define CHOOSE_SECONDS 45

#define FILE_NAME  "browser"
#define FILE_GROUP "browser"
#define FILE_STATE "state"
#define FILE_PATH  "path"

static DynoBrowserSurvey *
look_at (const char *browser, gint64 deadline_us, GError **error)
{
  gint64 soon_us = g_get_monotonic_time () + LOOK_SECONDS * G_USEC_PER_SEC;
  g_autoptr (DynoBrowserHost) host = dyno_browser_host_new (browser, NULL, MIN (soon_us, deadline_us), error);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) request = NULL;
  g_autoptr (DynoBrowserMessage) answer = NULL;
  DynoBrowserSurvey *self;

  if (host == NULL)
    return NULL;
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "call");
  json_builder_add_string_value (builder, "probe");
  json_builder_end_object (builder);
  request = json_builder_get_root (builder);
  answer = dyno_browser_host_call (host, request, NULL, error);
  if (answer == NULL)
    return NULL;
  self = g_new0 (DynoBrowserSurvey, 1);
  self->host = g_steal_pointer (&host);
  self->answer = g_steal_pointer (&answer);
  return self;
}

/* Every browser with WebNN can run a graph on the processor. */
static gboolean
has_webnn (DynoBrowserSurvey *self)
{
  JsonObject *webnn = dyno_json_member_get_object (self->answer->header, "webnn");
  JsonObject *on_cpu = dyno_json_member_get_object (webnn, "cpu");

  return on_cpu != NULL && json_object_has_member (on_cpu, "devices");
}

/* A missing browser, or a file that is none, is permanent; all other problems may be temporary. */
static gboolean
is_lasting (const GError *error)
{
  return g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME);
}

/* Looks at the browsers in order. If none of them has WebNN, the first one stays open. */
static DynoBrowserSurvey *
look_at_all (char **browsers, gint64 deadline_us, GError **error)
{
  g_autoptr (DynoBrowserSurvey) best = NULL;
  g_autoptr (GError) worst = NULL;
  gboolean is_provisional = FALSE;

  for (guint i = 0; browsers[i] != NULL && (best == NULL || !has_webnn (best)); i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoBrowserSurvey) found = look_at (browsers[i], deadline_us, &problem);

      if (found == NULL)
        {
          g_debug ("%s: %s", browsers[i], problem->message);
          is_provisional = is_provisional || !is_lasting (problem);
          /* The first of several problems counts, but a temporary one takes precedence. */
          if (worst == NULL || (is_lasting (worst) && !is_lasting (problem)))
            {
              g_clear_error (&worst);
              worst = g_steal_pointer (&problem);
            }
        }
      if (found != NULL && (best == NULL || has_webnn (found)))
        {
          g_clear_pointer (&best, dyno_browser_survey_free);
          best = g_steal_pointer (&found);
        }
    }
  if (best == NULL)
    g_propagate_error (error, g_steal_pointer (&worst));
  else
    best->is_provisional = is_provisional;
  return g_steal_pointer (&best);
}

static GMutex choice_mutex;
static char *chosen_path;
static char *chosen_state;

static char *
build_path (void)
{
  return dyno_paths_build (DYNO_PATH_CACHE, FILE_NAME, NULL);
}

/* Sessions, most of them in other processes, use these answers. */
static void
remember (const char *state, const char *browser)
{
  g_autofree char *path = build_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&choice_mutex);

  g_free (chosen_path);
  chosen_path = g_strdup (browser);
  g_free (chosen_state);
  chosen_state = g_strdup (state);

  g_key_file_set_string (file, FILE_GROUP, FILE_STATE, state);
  g_key_file_set_string (file, FILE_GROUP, FILE_PATH, browser);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_debug ("The folder “%s” cannot be made: %s", folder, g_strerror (errno));
  else if (!g_key_file_save_to_file (file, path, &error))
    g_debug ("Which browser is used is not kept: %s", error->message);
}

/* A newer choice of another process takes precedence; if the folder is not writable, this process's own choice
 * counts. */
static char *
recall (const char *state, char **browsers)
{
  g_autofree char *path = build_path ();
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *known_state = NULL;
  g_autofree char *known = NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&choice_mutex);

  if (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    known_state = g_key_file_get_string (file, FILE_GROUP, FILE_STATE, NULL);
  if (known_state != NULL && g_str_equal (known_state, state))
    known = g_key_file_get_string (file, FILE_GROUP, FILE_PATH, NULL);
  if (known == NULL && g_strcmp0 (chosen_state, state) == 0)
    known = g_strdup (chosen_path);
  if (known == NULL || !g_strv_contains ((const char *const *)browsers, known))
    return NULL;
  return g_steal_pointer (&known);
}

DynoBrowserSurvey *
dyno_browser_survey_new (gint64 deadline_us, GError **error)
{
  g_auto (GStrv) browsers = dyno_browser_list (error);
  g_autofree char *state = NULL;
  DynoBrowserSurvey *self;

  if (browsers == NULL)
    return NULL;
  state = dyno_browser_dup_state ();
  self = look_at_all (browsers, deadline_us, error);
  if (self != NULL)
    remember (state, dyno_browser_host_get_browser (self->host));
  return self;
}

void
dyno_browser_survey_free (DynoBrowserSurvey *self)
{
  g_clear_object (&self->host);
  g_clear_pointer (&self->answer, dyno_browser_message_free);
  g_free (self);
}

char *
dyno_browser_survey_choose (GError **error)
{
  g_auto (GStrv) browsers = dyno_browser_list (error);
  g_autofree char *state = NULL;
  g_autofree char *known = NULL;
  g_autoptr (DynoBrowserSurvey) survey = NULL;

  if (browsers == NULL)
    return NULL;
  if (browsers[1] == NULL)
    return g_strdup (browsers[0]);
  state = dyno_browser_dup_state ();
  known = recall (state, browsers);
  if (known != NULL)
    return g_steal_pointer (&known);
  survey = dyno_browser_survey_new (g_get_monotonic_time () + CHOOSE_SECONDS * G_USEC_PER_SEC, error);
  return survey != NULL ? g_strdup (dyno_browser_host_get_browser (survey->host)) : NULL;
}
