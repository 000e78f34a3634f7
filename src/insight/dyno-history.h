/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"
#include "dyno-verdict.h"

G_BEGIN_DECLS

/* dyno-alert */

/**
 * DynoAlertRule:
 * @DYNO_ALERT_FAILED: a case failed
 * @DYNO_ALERT_OUTLIER: a case is far off its earlier runs
 * @DYNO_ALERT_CHANGE: with this run, the level of a case has changed
 * @DYNO_ALERT_LIMIT: a value crossed a limit of the user
 * @DYNO_ALERT_LOST: a node was lost
 *
 * What an alert is about.
 */
typedef enum
{
  DYNO_ALERT_FAILED,
  DYNO_ALERT_OUTLIER,
  DYNO_ALERT_CHANGE,
  DYNO_ALERT_LIMIT,
  DYNO_ALERT_LOST,
} DynoAlertRule;

#define DYNO_N_ALERT_RULES (DYNO_ALERT_LOST + 1)

/**
 * DYNO_ALERT_PREFIX:
 *
 * How the codes of the diagnostics begin that keep alerts with their case.
 */
#define DYNO_ALERT_PREFIX "alert-"

/**
 * DynoAlert:
 * @rule: its rule
 * @result: (nullable): the case
 * @name: the name of the case or node, for people
 * @message: what happened, as a sentence
 */
typedef struct
{
  DynoAlertRule rule;
  DynoResult *result;
  char *name;
  char *message;
} DynoAlert;

/**
 * DynoAlertRules:
 *
 * The rules by which a run is judged.
 */
typedef struct _DynoAlertRules DynoAlertRules;

/* Returns all rules, without limits. */
DynoAlertRules *dyno_alert_rules_new (void);
void dyno_alert_rules_free (DynoAlertRules *self);
/* Keeps only these rules. Limits apply in any case. @names: rules, separated by commas, such as `failed,change`. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_alert_rules_choose (DynoAlertRules *self, const char *names, GError **error);
/* Adds a limit. @is_upper: whether a value above it is an alert, else one below it. @text: such as `latency_p99_ms=20`. Fails
 * with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean
dyno_alert_rules_add_limit (DynoAlertRules *self, const char *text, gboolean is_upper, GError **error);
gboolean dyno_alert_rules_has (const DynoAlertRules *self, DynoAlertRule rule);

/* Returns an alert about a lost node. @reason and @result may be NULL. */
DynoAlert *dyno_alert_new_lost (const char *node, const char *reason, DynoResult *result);
void dyno_alert_free (DynoAlert *self);
/* Judges the cases of a run that is over; a case is compared with the earlier runs on the same machine. Reads the store, so it is
 * for threads. Returns DynoAlert, possibly none; what could not be judged is added to @notes, which holds utf8. @store (nullable):
 * the store that has the run. */
GPtrArray *dyno_alerts_find (
    DynoRun *run, DynoStore *store, const DynoAlertRules *rules, GPtrArray *notes, GError **error);
/* Adds the alerts to the diagnostics of their cases, and stores these cases. Returns whether they are stored. @alerts holds
 * DynoAlert. */
gboolean dyno_alerts_keep (GPtrArray *alerts, DynoRun *run, DynoStore *store, GError **error);
/* Returns JSON with the alerts and their run. @alerts holds DynoAlert. @run may be NULL. */
char *dyno_alerts_to_json (GPtrArray *alerts, DynoRun *run);
/* Gives the text to a command on its standard input, and waits for its end, a minute at most. Returns whether it succeeded.
 * @command: as a shell takes it. */
gboolean dyno_alerts_run_command (const char *command, const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoAlert, dyno_alert_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoAlertRules, dyno_alert_rules_free)

/* dyno-history-catalog */

/**
 * DynoHistoryCase:
 * @head: the case, without values
 * @key: its key, see dyno_case_parts_dup_key()
 * @label: the case in words
 * @n_runs: the number of runs that measured it; a history needs two
 * @measured_at: when the last of them began, in µs since 1970
 */
typedef struct
{
  DynoResult *head;
  char *key;
  char *label;
  guint n_runs;
  gint64 measured_at;

  /*< private >*/
  GHashTable *runs;
} DynoHistoryCase;

/**
 * DynoHistoryMachine:
 * @snapshot: the latest snapshot of the machine, JSON
 * @title: its name in words
 * @is_this: whether it is the machine on which the catalog was made
 * @cases: (element-type DynoHistoryCase): the cases that were measured on it, most often first
 */
typedef struct
{
  char *snapshot;
  char *title;
  gboolean is_this;
  GPtrArray *cases;
} DynoHistoryMachine;

/* Lists the machines and cases that can have a history. For threads, like dyno_history_load(). Returns the
 * machines with the cases that were measured on them, this machine first, then the one that was measured
 * last; possibly none. Elements are DynoHistoryMachine. @here may be NULL. */
GPtrArray *dyno_history_catalog_load (DynoStore *store, const char *here, GError **error);
/* Returns the machine; NULL if no case was measured on it. @machines holds DynoHistoryMachine. @snapshot:
 * the snapshot of a machine, JSON; its current state, its engines and its kernel are ignored. */
const DynoHistoryMachine *dyno_history_catalog_find_machine (GPtrArray *machines, const char *snapshot);
/* Returns the stable names of the values that the case has in any run. */
GPtrArray *dyno_history_catalog_list_metrics (DynoStore *store,
                                              const DynoHistoryMachine *machine,
                                              const DynoHistoryCase *kase,
                                              GError **error);
/* Returns the case; NULL if it was not measured on the machine. */
const DynoHistoryCase *dyno_history_machine_find (const DynoHistoryMachine *self, const char *key);

/**
 * DYNO_HISTORY_MIN_RUNS:
 *
 * With fewer runs no change can be significant, however large: a permutation test has too few orders.
 */
#define DYNO_HISTORY_MIN_RUNS 8

/**
 * DynoHistorySegment:
 * @first: the index of its first point
 * @n: the number of its steady points
 * @level: the median of its steady points
 * @ratio: its level over that of the segment before; NaN for the first segment
 * @changes: (nullable) (element-type DynoSideDifference): the differences between its first run and the run before;
 *   NULL for the first segment
 *
 * A stretch of runs in which a value did not change.
 */
typedef struct
{
  guint first;
  guint n;
  double level;
  double ratio;
  GPtrArray *changes;
} DynoHistorySegment;

/**
 * DynoHistoryTrend:
 * @label: the case in words
 * @unit: the unit of its values
 * @points: (element-type DynoHistoryPoint): the value in each run, in the order of time
 * @segments: (element-type DynoHistorySegment): the stretches between changes; none if no point is steady
 * @n_steady: the number of steady points; only these are judged
 *
 * The values of one case over the runs.
 */
typedef struct
{
  char *label;
  char *unit;
  GPtrArray *points;
  GPtrArray *segments;
  guint n_steady;
} DynoHistoryTrend;

/**
 * DynoHistory:
 * @metric: the stable name of the value
 * @machine: the snapshot of the machine, JSON
 * @threshold: the smallest change of the level that counts, as a share: the practical threshold, or the noise floor
 *   of the machine if that is larger
 * @self_test: (nullable): the self-test of the machine
 * @trends: (element-type DynoHistoryTrend): one for each case, in the order of their first measurement
 * @baselines: (element-type DynoBaseline): all baselines, by name; also of runs that have none of these cases
 *
 * The values of some cases over all runs of a machine.
 */
typedef struct
{
  char *metric;
  char *machine;
  double threshold;
  DynoSelfTest *self_test;
  GPtrArray *trends;
  GPtrArray *baselines;

  /*< private >*/
  gatomicrefcount ref_count;
} DynoHistory;

/**
 * DynoHistoryQuery:
 * @metric: (nullable): the stable name of a value; NULL for the median latency
 * @machine: (nullable): the snapshot of a machine, JSON; NULL for the machine of the newest run
 * @words: (nullable): words that the name of the case must contain
 * @backend: (nullable): the backend, optionally with a colon and a device
 * @only: (nullable): the only case
 *
 * Selects a history.
 */
typedef struct
{
  const char *metric;
  const char *machine;
  const char *words;
  const char *backend;
  DynoResult *only;
} DynoHistoryQuery;

/* Sorts the points by case, and finds where the level of each changed (dyno_stats_divide()). Returns the
 * history, still without the other differences and without baselines. Takes @points. @points holds
 * DynoHistoryPoint. @threshold: the smallest change of the level that counts, as a share. */
DynoHistory *dyno_history_new (GPtrArray *points, const char *metric, double threshold);
/* Reads the points, finds the changes, and for each change the differences between the runs before and
 * after it. May take some seconds: not for the main thread. Returns the history, possibly without a trend.
 **/
DynoHistory *dyno_history_load (DynoStore *store, const DynoHistoryQuery *query, GError **error);
DynoHistory *dyno_history_ref (DynoHistory *self);
void dyno_history_unref (DynoHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHistory, dyno_history_unref)

/* Returns whether both have the same value, runs and baselines. */
gboolean dyno_history_equal (const DynoHistory *self, const DynoHistory *other);
/* Returns the verdict on the segment compared with the one before; the first one is the same. */
DynoVerdict dyno_history_get_verdict (const DynoHistory *self, const DynoHistorySegment *segment);
/* Returns a sentence: whether and when the value changed, or how many runs are needed to find out. */
char *dyno_history_dup_answer (const DynoHistory *self, const DynoHistoryTrend *trend);
/* Returns the differences between its first run and the run before, on one line; empty for the first
 * segment. */
char *dyno_history_dup_changes (const DynoHistorySegment *segment);
/* Returns the change of its level from the segment before, such as “5.3 % slower”; empty for the first. */
char *dyno_history_dup_change (const DynoHistory *self, const DynoHistorySegment *segment);
/* Returns the last steady point before it, with which it is compared; NULL if there is none. @index: the
 * index of one of the trend's points. */
const DynoHistoryPoint *dyno_history_find_steady_before (const DynoHistoryTrend *trend, guint index);
/* Returns the point of the run; NULL if there is none. */
const DynoHistoryPoint *dyno_history_find_point (const DynoHistoryTrend *trend, const char *run_id);
/* Returns the names of the baselines that the point's run is, in quotes; empty if it is none. @point: one
 * of its points. */
char *dyno_history_dup_baselines (const DynoHistory *self, const DynoHistoryPoint *point);
/* Returns the meaning of its lower and upper end, such as “range of 5 processes”; empty where it has none.
 **/
char *dyno_history_point_dup_ends (const DynoHistoryPoint *point);

G_END_DECLS
