/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-clock.h"
#include "dyno-json.h"
#include "dyno-pinning.h"
#include "dyno-unit.h"
#include "dyno-worker-client.h"
#include "dyno-worker-private.h"

/* Enough to show the factor between the settings; a separate case gives an exact figure. */
#define WARM_UP_STEPS 3
#define MAX_STEPS     50
#define MAX_NS        G_GINT64_CONSTANT (1000000000)

/* Far less than the stall limit of a worker. */
#define DEADLINE_SECONDS 30

#define SETTINGS "settings"
#define STEP_MS  "step_ms"

static gboolean
warm_up (DynoSession *session)
{
  for (guint i = 0; i < WARM_UP_STEPS; i++)
    if (!dyno_session_run (session, NULL))
      return FALSE;
  return TRUE;
}

/* Returns the median step in ms; NaN if there is none. */
static double
time_steps (DynoSession *session)
{
  double milliseconds[MAX_STEPS];
  gint64 began = dyno_clock_now_ns ();
  guint n = 0;

  while (n < MAX_STEPS && (n == 0 || dyno_clock_now_ns () - began < MAX_NS))
    {
      gint64 start = dyno_clock_now_ns ();

      if (!dyno_session_run (session, NULL))
        return NAN;
      milliseconds[n++] = (double)(dyno_clock_now_ns () - start) / 1e6;
    }
  dyno_stats_sort (milliseconds, n);
  return dyno_stats_percentile (milliseconds, n, 50);
}

JsonObject *
dyno_engine_default_try (DynoSession *session, DynoWorkload *workload)
{
  g_autoptr (GHashTable) settings = dyno_session_read_settings (session);
  JsonObject *members = json_object_new ();
  JsonObject *object = json_object_new ();
  double step = NAN;
  GHashTableIter iter;
  gpointer name, value;

  if (settings != NULL)
    {
      g_hash_table_iter_init (&iter, settings);
      while (g_hash_table_iter_next (&iter, &name, &value))
        json_object_set_string_member (members, name, value);
    }
  json_object_set_object_member (object, SETTINGS, members);
  /* Steps of a generation differ, and times from another clock cannot be compared. */
  if (!DYNO_IS_GENERATION_WORKLOAD (workload) && !dyno_session_has_own_clock (session) &&
      dyno_workload_prepare (workload, session, NULL) && warm_up (session))
    step = time_steps (session);
  if (isfinite (step))
    json_object_set_double_member (object, STEP_MS, step);
  return object;
}

/* An engine on the pinned processors of the work would choose its defaults for these alone and run its
 * threads there. */
static JsonObject *
ask (DynoCase *kase)
{
  g_autoptr (JsonNode) node = dyno_case_to_json (kase);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  const char *const arguments[] = { "--left-alone", dyno_case_get_backend (kase), json, NULL };
  g_autoptr (DynoWorkerReply) reply =
      dyno_pinning_release (NULL) ? dyno_worker_query_run (arguments, DEADLINE_SECONDS, NULL, NULL) : NULL;
  gsize size = 0;
  const char *text;

  if (reply == NULL || reply->answer == NULL)
    return NULL;
  text = g_bytes_get_data (reply->answer, &size);
  return dyno_json_parse_object (text, (gssize)size, _ ("the answer about an engine left alone"), NULL);
}

/* Describes a setting in words. */
static char *
describe_setting (const char *name, const char *value)
{
  guint number = (guint)g_ascii_strtoull (value, NULL, 10);

  if (g_str_equal (name, "threads"))
    return g_strdup_printf (ngettext ("%u thread", "%u threads", number), number);
  if (g_str_equal (name, "streams"))
    return g_strdup_printf (ngettext ("%u stream", "%u streams", number), number);
  if (g_str_equal (name, "hint"))
    /* Translators: what an engine tunes itself for, such as “latency” */
    return g_strdup_printf (_ ("the hint “%s”"), value);
  return g_strdup (value);
}

/* Takes ownership of the words. */
static void
append_words (char **list, gboolean is_last, char *words)
{
  g_autofree char *before = *list;
  g_autofree char *taken = words;

  if (before == NULL)
    *list = g_steal_pointer (&taken);
  else if (is_last)
    *list = g_strdup_printf (_ ("%s and %s"), before, taken);
  else
    *list = g_strdup_printf ("%s, %s", before, taken);
}

/* The settings that differ: as the session reports them, as they would be by default, and as options to
 * set. */
typedef struct
{
  char *told;
  char *left;
  char *to_set;
} Difference;

static void
difference_clear (Difference *self)
{
  g_free (self->told);
  g_free (self->left);
  g_free (self->to_set);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Difference, difference_clear)

/* Lists the settings that both sides report and that differ. */
static GPtrArray *
list_differences (GHashTable *told, JsonObject *left)
{
  static const char *const names[] = { "inference-precision", "threads", "streams", "hint" };
  GPtrArray *differing = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *is = g_hash_table_lookup (told, names[i]);
      const char *would_be = json_object_get_string_member_with_default (left, names[i], NULL);

      if (is != NULL && would_be != NULL && !g_str_equal (is, would_be))
        g_ptr_array_add (differing, (gpointer)names[i]);
    }
  return differing;
}

static char *
compose (const char *engine, const Difference *difference, double told, double left)
{
  g_autofree char *time_left = dyno_unit_format (left, "ms");
  g_autofree char *time_told = dyno_unit_format (told, "ms");

  if (!isfinite (told) || !isfinite (left))
    return g_strdup_printf (_ ("Left to itself, %s would use %s here, not %s. To measure that, set %s."),
                            engine, difference->left, difference->told, difference->to_set);
  return g_strdup_printf (_ ("Left to itself, %s would use %s here, not %s: in a short trial, a step took %s "
                             "instead of %s. To measure that, set %s."),
                          engine, difference->left, difference->told, time_left, time_told,
                          difference->to_set);
}

void
dyno_engine_default_report (DynoCase *kase, DynoBackend *backend, DynoMeasurement *measurement)
{
  g_autoptr (JsonObject) answer = measurement->settings != NULL ? ask (kase) : NULL;
  JsonObject *left = answer != NULL && json_object_has_member (answer, SETTINGS)
                         ? json_object_get_object_member (answer, SETTINGS)
                         : NULL;
  g_autoptr (GPtrArray) names = left != NULL ? list_differences (measurement->settings, left) : NULL;
  /* Under load a request includes waiting, which the trial does not. */
  double median =
      measurement->load == NULL ? dyno_measurement_get_number (measurement, "latency_p50_ms") : NAN;
  g_auto (Difference) difference = { NULL };
  g_autofree char *message = NULL;

  if (names == NULL || names->len == 0)
    return;

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      const char *would_be = json_object_get_string_member (left, name);
      gboolean is_last = i + 1 == names->len;

      append_words (&difference.told, is_last,
                    describe_setting (name, g_hash_table_lookup (measurement->settings, name)));
      append_words (&difference.left, is_last, describe_setting (name, would_be));
      append_words (&difference.to_set, is_last, g_strdup_printf (_ ("“%s=%s”"), name, would_be));
    }

  message = compose (dyno_backend_get_name (backend), &difference, median,
                     json_object_get_double_member_with_default (answer, STEP_MS, NAN));
  dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "engine-default", message);
}
