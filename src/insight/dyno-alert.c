/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-command.h"
#include "dyno-comparison-builder.h"
#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-json.h"
#include "dyno-metric.h"
#include "dyno-run-json.h"
#include "dyno-stats.h"
#include "dyno-text.h"
#include "dyno-unit.h"

/* A value beyond so many interquartile ranges from its quartiles is far out (Tukey, “Exploratory Data Analysis”, 1977). */
#define FAR_OUT 3.0

/* The longest complaint of a command that is quoted, in bytes. */
#define MAX_COMPLAINT 300

/* The codes of the diagnostics that keep alerts; behind the prefix they are the names of the rules. */
static const char *const codes[DYNO_N_ALERT_RULES] = {
  [DYNO_ALERT_FAILED] = "alert-failed", [DYNO_ALERT_OUTLIER] = "alert-outlier",
  [DYNO_ALERT_CHANGE] = "alert-change", [DYNO_ALERT_LIMIT] = "alert-limit",
  [DYNO_ALERT_LOST] = "alert-lost",
};

#define RULE_NAME(rule) (codes[rule] + strlen (DYNO_ALERT_PREFIX))

typedef struct
{
  char *metric;
  double number;
  gboolean is_upper;
} Limit;

struct _DynoAlertRules
{
  gboolean is_on[DYNO_N_ALERT_RULES];
  GPtrArray *limits; /* Limit */
};

static void
limit_free (Limit *limit)
{
  g_free (limit->metric);
  g_free (limit);
}

DynoAlertRules *
dyno_alert_rules_new (void)
{
  DynoAlertRules *self = g_new0 (DynoAlertRules, 1);

  for (guint i = 0; i < DYNO_N_ALERT_RULES; i++)
    self->is_on[i] = TRUE;
  self->limits = g_ptr_array_new_with_free_func ((GDestroyNotify)limit_free);
  return self;
}

void
dyno_alert_rules_free (DynoAlertRules *self)
{
  g_ptr_array_unref (self->limits);
  g_free (self);
}

gboolean
dyno_alert_rules_has (const DynoAlertRules *self, DynoAlertRule rule)
{
  return self->is_on[rule];
}

gboolean
dyno_alert_rules_choose (DynoAlertRules *self, const char *names, GError **error)
{
  g_auto (GStrv) words = g_strsplit (names, ",", -1);
  gboolean is_on[DYNO_N_ALERT_RULES] = { [DYNO_ALERT_LIMIT] = TRUE };

  for (char **word = words; *word != NULL; word++)
    {
      guint rule = 0;

      g_strstrip (*word);
      while (rule < DYNO_N_ALERT_RULES && !g_str_equal (RULE_NAME (rule), *word))
        rule++;
      if (rule == DYNO_N_ALERT_RULES || rule == DYNO_ALERT_LIMIT)
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
              _ ("“%s” is no rule for alerts. Rules are failed, outlier, change and lost; --alert-above "
                 "and --alert-below set limits."),
              *word);
          return FALSE;
        }
      is_on[rule] = TRUE;
    }
  memcpy (self->is_on, is_on, sizeof is_on);
  return TRUE;
}

gboolean
dyno_alert_rules_add_limit (DynoAlertRules *self, const char *text, gboolean is_upper, GError **error)
{
  const char *equals = strchr (text, '=');
  char *end = NULL;
  double number = equals != NULL ? g_ascii_strtod (equals + 1, &end) : NAN;

  if (equals == NULL || equals == text || end == equals + 1 || *end != '\0' || !isfinite (number))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("“%s” is no limit: write the name of a value and a number, such as “latency_p99_ms=20”. "
             "“dyno-cli show” lists the values of a run."),
          text);
      return FALSE;
    }

  Limit *limit = g_new0 (Limit, 1);

  limit->metric = g_strndup (text, (gsize)(equals - text));
  limit->number = number;
  limit->is_upper = is_upper;
  g_ptr_array_add (self->limits, limit);
  return TRUE;
}

/* Alerts */

/* Takes @message. */
static void
add (GPtrArray *alerts, DynoAlertRule rule, DynoResult *result, char *message)
{
  DynoAlert *alert = g_new0 (DynoAlert, 1);

  alert->rule = rule;
  alert->result = g_object_ref (result);
  alert->name = dyno_case_parts_dup_label (result);
  alert->message = message;
  g_ptr_array_add (alerts, alert);
}

DynoAlert *
dyno_alert_new_lost (const char *node, const char *reason, DynoResult *result)
{
  DynoAlert *self = g_new0 (DynoAlert, 1);

  self->rule = DYNO_ALERT_LOST;
  self->result = result != NULL ? g_object_ref (result) : NULL;
  self->name = g_strdup (node);
  self->message = reason != NULL ? g_strdup_printf (_ ("The node %s was lost: %s"), node, reason)
                                 : g_strdup_printf (_ ("The node %s was lost."), node);
  return self;
}

void
dyno_alert_free (DynoAlert *self)
{
  g_clear_object (&self->result);
  g_free (self->name);
  g_free (self->message);
  g_free (self);
}

static void
judge_limit (const Limit *limit, DynoResult *result, GPtrArray *alerts)
{
  double number = dyno_result_get_number (result, limit->metric);
  DynoValue *value = dyno_result_get_value (result, limit->metric);
  g_autofree char *title = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *bound = NULL;

  if (isnan (number) || (limit->is_upper ? number <= limit->number : number >= limit->number))
    return;
  shown = dyno_unit_format (number, dyno_value_get_unit (value));
  bound = dyno_unit_format (limit->number, dyno_value_get_unit (value));
  title = dyno_metric_title_dup (limit->metric);
  add (alerts, DYNO_ALERT_LIMIT, result,
       limit->is_upper
           /* Translators: the name of a value, its number, and the limit */
           ? g_strdup_printf (_ ("%s is %s, above the limit of %s."), title, shown, bound)
           : g_strdup_printf (_ ("%s is %s, below the limit of %s."), title, shown, bound));
}

/* Histories */

static gboolean
is_of_run (DynoResult *head, gpointer keys)
{
  g_autofree char *key = dyno_case_parts_dup_key (head, DYNO_CASE_ALL);

  return g_hash_table_contains (keys, key);
}

/* Returns whether the value is far off the last level before it, which must have enough runs to have a spread. */
static gboolean
is_far_out (double value, const DynoHistoryTrend *before, double threshold)
{
  const DynoHistorySegment *last = before->segments->pdata[before->segments->len - 1];
  g_autofree double *sorted = g_new (double, last->n);
  double low, high;

  if (last->n < DYNO_HISTORY_MIN_RUNS)
    return FALSE;
  for (guint i = 0; i < last->n; i++)
    sorted[i] = ((const DynoHistoryPoint *)before->points->pdata[last->first + i])->value;
  dyno_stats_sort (sorted, last->n);
  low = dyno_stats_percentile (sorted, last->n, 25);
  high = dyno_stats_percentile (sorted, last->n, 75);
  return (value < low - FAR_OUT * (high - low) || value > high + FAR_OUT * (high - low)) &&
         MAX (value / last->level, last->level / value) > 1 + threshold;
}

/* Compares the run with the steady ones before it, if there are any. */
static void
judge_trend (const DynoHistory *history,
             const DynoHistoryTrend *trend,
             DynoResult *result,
             const char *run_id,
             const DynoAlertRules *rules,
             GPtrArray *alerts)
{
  const DynoHistoryPoint *point = dyno_history_find_point (trend, run_id);
  g_autoptr (GPtrArray) points = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_history_point_free);
  g_autoptr (DynoHistory) earlier = NULL;
  const DynoHistoryTrend *before;

  for (guint i = 0; point->is_steady && i < trend->points->len; i++)
    {
      const DynoHistoryPoint *other = trend->points->pdata[i];

      if (other->is_steady && !g_str_equal (other->run_id, run_id))
        g_ptr_array_add (
            points, dyno_history_point_new (other->head, other->run_id, other->started_at, other->value));
    }
  if (points->len == 0)
    return;
  earlier = dyno_history_new (g_steal_pointer (&points), DYNO_COMPARISON_METRIC, history->threshold);
  before = earlier->trends->pdata[0];
  if (rules->is_on[DYNO_ALERT_OUTLIER] && is_far_out (point->value, before, history->threshold))
    {
      const DynoHistorySegment *last = before->segments->pdata[before->segments->len - 1];
      g_autofree char *shown = dyno_unit_format (point->value, trend->unit);
      g_autofree char *level = dyno_unit_format (last->level, trend->unit);

      add (
          alerts, DYNO_ALERT_OUTLIER, result,
          /* Translators: a latency, the latency of earlier runs, and how many these are */
          g_strdup_printf (ngettext ("Its median latency is %s, far off the %s of %u earlier run.",
                                     "Its median latency is %s, far off the %s of %u earlier runs.", last->n),
                           shown, level, last->n));
    }
  if (rules->is_on[DYNO_ALERT_CHANGE] && trend->segments->len > before->segments->len)
    add (alerts, DYNO_ALERT_CHANGE, result, dyno_history_dup_answer (history, trend));
}

static gboolean
judge_histories (
    DynoRun *run, DynoStore *store, const DynoAlertRules *rules, GPtrArray *alerts, GError **error)
{
  GListModel *results = dyno_run_get_results (run);
  const char *machine = dyno_run_get_machine (run);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_autoptr (DynoSelfTest) self_test = NULL;
  g_autoptr (DynoHistory) history = NULL;
  GPtrArray *points;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_status (result) == DYNO_STATUS_OK)
        g_hash_table_insert (by_key, dyno_case_parts_dup_key (result, DYNO_CASE_ALL), g_object_ref (result));
    }
  if (machine == NULL || g_hash_table_size (by_key) == 0)
    return TRUE;
  points = dyno_store_list_history (store, machine, DYNO_COMPARISON_METRIC, is_of_run, by_key, error);
  if (points == NULL)
    return FALSE;
  self_test = dyno_store_load_self_test (store, machine, NULL);
  history = dyno_history_new (
      points, DYNO_COMPARISON_METRIC,
      fmax (DYNO_COMPARISON_THRESHOLD, dyno_self_test_get_floor (self_test, DYNO_COMPARISON_METRIC)));
  for (guint i = 0; i < history->trends->len; i++)
    {
      const DynoHistoryTrend *trend = history->trends->pdata[i];
      const DynoHistoryPoint *point = dyno_history_find_point (trend, dyno_run_get_id (run));
      g_autofree char *key = point != NULL ? dyno_case_parts_dup_key (point->head, DYNO_CASE_ALL) : NULL;

      if (point != NULL)
        judge_trend (history, trend, g_hash_table_lookup (by_key, key), dyno_run_get_id (run), rules, alerts);
    }
  return TRUE;
}

GPtrArray *
dyno_alerts_find (
    DynoRun *run, DynoStore *store, const DynoAlertRules *rules, GPtrArray *notes, GError **error)
{
  g_autoptr (GPtrArray) alerts = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_alert_free);
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GHashTable) checked = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      const char *reason = dyno_result_get_reason (result);

      if (rules->is_on[DYNO_ALERT_FAILED] && dyno_result_get_status (result) == DYNO_STATUS_FAILED)
        add (alerts, DYNO_ALERT_FAILED, result, g_strdup (reason != NULL ? reason : _ ("The case failed.")));
      for (guint k = 0; k < rules->limits->len; k++)
        {
          const Limit *limit = rules->limits->pdata[k];

          if (!isnan (dyno_result_get_number (result, limit->metric)))
            g_hash_table_add (checked, (gpointer)limit);
          judge_limit (limit, result, alerts);
        }
    }
  for (guint k = 0; k < rules->limits->len; k++)
    if (!g_hash_table_contains (checked, rules->limits->pdata[k]))
      g_ptr_array_add (notes, g_strdup_printf (_ ("No case has a number “%s”, so its limit was not checked."),
                                               ((const Limit *)rules->limits->pdata[k])->metric));
  if (!rules->is_on[DYNO_ALERT_OUTLIER] && !rules->is_on[DYNO_ALERT_CHANGE])
    return g_steal_pointer (&alerts);
  if (store == NULL)
    g_ptr_array_add (notes,
                     g_strdup (_ ("The run is not stored yet, so it is not compared with earlier runs.")));
  else if (!judge_histories (run, store, rules, alerts, error))
    return NULL;
  return g_steal_pointer (&alerts);
}

gboolean
dyno_alerts_keep (GPtrArray *alerts, DynoRun *run, DynoStore *store, GError **error)
{
  g_autoptr (DynoRun) changed = dyno_run_new (dyno_run_get_id (run));
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < alerts->len; i++)
    {
      const DynoAlert *alert = alerts->pdata[i];

      if (alert->result == NULL)
        continue;
      /* A failed case already says why it failed. */
      dyno_result_take_diagnostic (
          alert->result,
          dyno_diagnostic_new (alert->rule == DYNO_ALERT_FAILED ? DYNO_SEVERITY_INFO : DYNO_SEVERITY_WARNING,
                               codes[alert->rule], alert->message));
      if (g_hash_table_add (known, alert->result))
        dyno_run_add_result (changed, alert->result);
    }
  return g_hash_table_size (known) == 0 || dyno_store_replace_results (store, changed, error);
}

char *
dyno_alerts_to_json (GPtrArray *alerts, DynoRun *run)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "dyno");
  json_builder_add_string_value (builder, PACKAGE_VERSION);
  json_builder_set_member_name (builder, "host");
  json_builder_add_string_value (builder, g_get_host_name ());
  json_builder_set_member_name (builder, "run");
  if (run != NULL)
    {
      g_autofree char *started_at = dyno_run_json_format_time (dyno_run_get_started_at (run));

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, dyno_run_get_id (run));
      json_builder_set_member_name (builder, "title");
      json_builder_add_string_value (builder, dyno_run_get_title (run));
      json_builder_set_member_name (builder, "started_at");
      json_builder_add_string_value (builder, started_at);
      json_builder_end_object (builder);
    }
  else
    json_builder_add_null_value (builder);
  json_builder_set_member_name (builder, "alerts");
  json_builder_begin_array (builder);
  for (guint i = 0; i < alerts->len; i++)
    {
      const DynoAlert *alert = alerts->pdata[i];

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "rule");
      json_builder_add_string_value (builder, RULE_NAME (alert->rule));
      json_builder_set_member_name (builder, "case");
      if (alert->result != NULL)
        json_builder_add_int_value (builder, (gint64)dyno_result_get_ordinal (alert->result) + 1);
      else
        json_builder_add_null_value (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, alert->name);
      json_builder_set_member_name (builder, "message");
      json_builder_add_string_value (builder, alert->message);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return dyno_json_text_write (root, FALSE);
}

gboolean
dyno_alerts_run_command (const char *command, const char *text, GError **error)
{
  static const DynoCommandLimits limits = { 1024 * 1024, 60, 60 };
  const char *const words[] = { "sh", "-c", command, NULL };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autofree char *said = NULL;

  if (!dyno_command_run (launcher, words, text, &limits, NULL, &answer, error))
    return FALSE;
  if (answer.is_successful)
    return TRUE;
  said = dyno_plain_text_quote (g_strstrip (answer.messages), MAX_COMPLAINT);
  if (*said != '\0')
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The command “%s” failed: %s"), command, said);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The command “%s” failed."), command);
  return FALSE;
}
