/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-ceilings.h"
#include "dyno-cli-private.h"
#include "dyno-cli.h"
#include "dyno-comparison-builder.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-prober.h"
#include "dyno-report.h"
#include "dyno-run-summary.h"
#include "dyno-self-test-plan.h"
#include "dyno-task.h"

/* Ten processes are the fewest that give a noise floor. */
#define N_PROCESSES   DYNO_SELF_TEST_MIN_PROCESSES
#define N_OF_OPENVINO 5
/* All of it must take less than two minutes: after these no further process is begun, and ceilings are given up. */
#define CPU_SECONDS      50
#define OPENVINO_SECONDS 75
#define LAST_SECONDS     115
/* Ceilings take about so long on a quiet machine. */
#define CEILING_SECONDS 8
/* How long each process of another program runs the model. */
#define LOOP_SECONDS 0.8

typedef gboolean (*Rival) (
    const DynoBareTiming *timing, guint threads, double seconds, DynoCliToolTiming *measured, GError **error);

/* A run of Dyno beside which others measure the same case: before each of its processes, one of each. */
typedef struct
{
  DynoCase *kase;
  DynoRunner *runner;
  gint64 begun_us;
  double most_seconds;
  Rival rival;  /* (nullable): a tool that measures every second time */
  GArray *bare; /* of double: the medians of the bare loop, by process; NaN for none */
  GArray *others;
  DynoBareTiming *timing; /* (nullable): the newest */
  char *rival_version;    /* (nullable): of the tool's engine */
  GError *bare_error;
  GError *rival_error;
  DynoRun *run;
} Beside;

static void
beside_clear (Beside *self)
{
  g_clear_object (&self->kase);
  g_clear_object (&self->runner);
  g_clear_object (&self->run);
  g_clear_pointer (&self->bare, g_array_unref);
  g_clear_pointer (&self->others, g_array_unref);
  g_clear_pointer (&self->timing, dyno_bare_timing_free);
  g_clear_error (&self->bare_error);
  g_clear_error (&self->rival_error);
  g_free (self->rival_version);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Beside, beside_clear)

static double
get_seconds_since (gint64 begun_us)
{
  return (double)(g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
}

static void
measure_others_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Beside *self = data;
  DynoCliToolTiming measured = { NAN, NULL };
  double bare = NAN, other = NAN;
  DynoBareTiming *timing = self->bare_error == NULL
                               ? dyno_bare_timing_take (self->kase, LOOP_SECONDS, NULL, &self->bare_error)
                               : NULL;

  if (timing != NULL)
    {
      g_clear_pointer (&self->timing, dyno_bare_timing_free);
      self->timing = timing;
      bare = timing->median_ms;
    }
  /* The rival needs the file that the bare loop ran. */
  if (self->rival != NULL && self->timing != NULL && self->rival_error == NULL &&
      self->others->len % 2 == 0 &&
      self->rival (self->timing, dyno_case_get_threads (self->kase), LOOP_SECONDS, &measured,
                   &self->rival_error))
    {
      g_free (self->rival_version);
      self->rival_version = measured.version;
      other = measured.median_ms;
    }

  g_array_append_val (self->bare, bare);
  g_array_append_val (self->others, other);
  g_task_return_boolean (task, TRUE);
}

static void
measured_others_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Beside *self = data;

  dyno_runner_release (self->runner);
}

/* The others run while no process of Dyno does. */
static void
turn_cb (DynoRunner *runner, guint invocation, Beside *self)
{
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GTask) task = NULL;

  if (self->bare->len > invocation)
    return;
  if (invocation > 0 && get_seconds_since (self->begun_us) > self->most_seconds)
    {
      result = g_list_model_get_item (dyno_run_get_results (dyno_runner_get_run (runner)), 0);
      dyno_runner_drop (runner, result);
      return;
    }
  dyno_runner_hold (runner);
  task = dyno_owned_task_new (runner, NULL, measured_others_cb, self);
  g_task_set_source_tag (task, turn_cb);
  g_task_set_task_data (task, self, NULL);
  g_task_run_in_thread (task, measure_others_in_thread);
}

/* Threads are stated, because other tools choose another number by default. */
static DynoPlan *
create_plan (DynoPlan *base, const char *backend, guint threads, guint n_processes)
{
  g_autofree char *count = g_strdup_printf ("%u", threads);
  const char *const counts[] = { count, NULL };
  const char *const backends[] = { backend, NULL };
  g_autoptr (DynoMethod) method = dyno_method_change_invocations (dyno_plan_get_method (base), n_processes);

  return g_object_new (DYNO_TYPE_PLAN, "title", _ ("Verification"), "models", dyno_plan_get_models (base),
                       "backends", backends, "threads", counts, "method", method, NULL);
}

/* Nothing is stored: the run is no measurement of the user's. */
static gboolean
measure (Beside *self, DynoPlan *plan, Rival rival, gint64 begun_us, double most_seconds, GError **error)
{
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, error);
  gboolean is_kept = FALSE;

  if (cases == NULL)
    return FALSE;
  *self = (Beside){
    .kase = g_object_ref (cases->pdata[0]),
    .runner = dyno_runner_new (plan, NULL),
    .begun_us = begun_us,
    .most_seconds = most_seconds,
    .rival = rival,
    .bare = g_array_new (FALSE, FALSE, sizeof (double)),
    .others = g_array_new (FALSE, FALSE, sizeof (double)),
  };
  dyno_runner_set_self_test (self->runner, TRUE);
  g_signal_connect (self->runner, "turn", G_CALLBACK (turn_cb), self);
  self->run = dyno_cli_measure (self->runner, NULL, &is_kept, error);
  return self->run != NULL;
}

static DynoResult *
get_result (const Beside *self)
{
  return g_list_model_get_item (dyno_run_get_results (self->run), 0);
}

static DynoCheck *
check_ratio (const Beside *self,
             const char *name,
             const char *title,
             const GArray *medians,
             const GError *problem,
             double noise_floor)
{
  /* Each process of Dyno over the other program's, which ran right before it. */
  g_autoptr (DynoResult) result = get_result (self);
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autoptr (GArray) ratios = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];
      double median = dyno_invocation_get_number (invocation, DYNO_COMPARISON_METRIC);
      double ratio = invocation->number < medians->len
                         ? median / g_array_index (medians, double, invocation->number)
                         : NAN;

      if (isfinite (ratio) && ratio > 0)
        g_array_append_val (ratios, ratio);
    }

  if (problem != NULL)
    return dyno_check_new (name, title, DYNO_CHECK_UNCHECKED, g_strdup (problem->message));
  return dyno_check_new_ratio (name, title, (const double *)(gpointer)ratios->data, ratios->len, noise_floor);
}

/* Another version of the engine may be faster or slower, which is no fault of the measuring. */
static DynoCheck *
check_rival (const Beside *self, const char *name, const char *title, double noise_floor)
{
  DynoCheck *check = check_ratio (self, name, title, self->others, self->rival_error, noise_floor);
  g_autoptr (JsonNode) machine = dyno_json_text_parse (dyno_run_get_machine (self->run));
  g_autofree char *runtime = machine != NULL
                                 ? g_strdup (dyno_run_engines_find (json_node_get_object (machine),
                                                                    dyno_case_get_backend (self->kase)))
                                 : NULL;
  g_autofree char *text = NULL;

  if (check->outcome != DYNO_CHECK_FAIL ||
      (runtime != NULL && self->rival_version != NULL && g_str_has_suffix (runtime, self->rival_version)))
    return check;
  text = check->text;
  check->outcome = DYNO_CHECK_WARN;
  check->text = g_strdup_printf (
      _ ("%s Its engine has version %s, and that of Dyno is %s, so this shows nothing."), text,
      self->rival_version != NULL ? self->rival_version : "?", runtime != NULL ? runtime : "?");
  return check;
}

static void
check_cpu (GPtrArray *checks, const Beside *self, const char *python_version, double *noise_floor)
{
  g_autoptr (DynoResult) result = get_result (self);
  g_autoptr (DynoSelfTest) self_test = dyno_self_test_new_from_result (
      dyno_run_get_id (self->run), dyno_run_get_started_at (self->run), result);
  DynoFalseAlarms alarms = { 0 };
  g_autoptr (DynoSensorSet) sensors = dyno_sensor_set_discover (0);
  guint n = dyno_sensor_set_get_n_sensors (sensors);
  gboolean has_two = FALSE;

  *noise_floor = dyno_self_test_get_floor (self_test, DYNO_COMPARISON_METRIC);
  if (isfinite (*noise_floor))
    dyno_false_alarms_count (result, &alarms);
  g_ptr_array_add (
      checks, check_ratio (self, "bare-loop", _ ("Bare loop"), self->bare, self->bare_error, *noise_floor));
  if (python_version != NULL)
    {
      g_autofree char *title = g_strdup_printf ("onnxruntime %s", python_version);

      g_ptr_array_add (checks, check_rival (self, "onnxruntime-python", title, *noise_floor));
    }
  else
    g_ptr_array_add (checks, dyno_check_new ("onnxruntime-python", "onnxruntime", DYNO_CHECK_ABSENT,
                                             g_strdup (_ ("“pip install onnxruntime” installs it. "
                                                          "DYNO_VERIFY_PYTHON may name the Python."))));
  g_ptr_array_add (checks, dyno_check_new_alarms (&alarms, *noise_floor));

  /* Whether some part has a counter of energy and a reading of power. */
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      {
        const DynoSensorInfo *counter = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i));
        const DynoSensorInfo *gauge = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, k));

        if (counter->kind == DYNO_SENSOR_ENERGY && gauge->kind == DYNO_SENSOR_POWER &&
            counter->domain == gauge->domain && g_strcmp0 (counter->device, gauge->device) == 0)
          has_two = TRUE;
      }
  g_ptr_array_add (checks, dyno_check_new_sensors (result, has_two));
}

static DynoCheck *
check_openvino (DynoPlan *base, guint threads, gint64 begun_us, double noise_floor)
{
  const char *name = "benchmark-app", *title = "benchmark_app";
  g_autofree char *program = dyno_cli_verify_find_benchmark_app ();
  DynoBackend *backend = dyno_backend_lookup ("openvino", NULL);
  g_autoptr (DynoProbe) probe =
      backend != NULL ? dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL)
                      : NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Beside) beside = { NULL };

  if (program == NULL)
    return dyno_check_new (
        name, title, DYNO_CHECK_ABSENT,
        g_strdup (_ ("“pip install openvino” installs it. DYNO_BENCHMARK_APP may name it.")));
  if (probe == NULL || dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    return dyno_check_new (
        name, title, DYNO_CHECK_ABSENT,
        g_strdup (probe != NULL ? dyno_probe_get_reason (probe) : _ ("Dyno was built without OpenVINO.")));
  if (get_seconds_since (begun_us) > CPU_SECONDS)
    return dyno_check_new (
        name, title, DYNO_CHECK_UNCHECKED,
        g_strdup (_ ("The machine is too busy: the time was used up by the checks before it.")));
  plan = create_plan (base, "openvino:CPU", threads, N_OF_OPENVINO);
  if (!measure (&beside, plan, dyno_cli_verify_run_benchmark_app, begun_us, OPENVINO_SECONDS, &error))
    return dyno_check_new (name, title, DYNO_CHECK_UNCHECKED, g_strdup (error->message));
  return check_rival (&beside, name, title, noise_floor);
}

/* Ceilings */

typedef struct
{
  GMainLoop *loop;
  GPtrArray *ceilings;
  GError *error;
} Roofs;

static void
roofs_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Roofs *roofs = data;

  roofs->ceilings = dyno_ceilings_measure_finish (result, &roofs->error);
  g_main_loop_quit (roofs->loop);
}

static gboolean
late_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

static void
check_ceilings (GPtrArray *checks, gint64 begun_us)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  double seconds_left = fmax (LAST_SECONDS - get_seconds_since (begun_us), 0);
  guint late = g_timeout_add ((guint)(1000 * seconds_left), late_cb, cancellable);
  Roofs roofs = { loop, NULL, NULL };

  dyno_ceilings_measure_async (0, CEILING_SECONDS, NULL, NULL, cancellable, roofs_cb, &roofs);
  g_main_loop_run (loop);
  g_source_remove (late);
  if (roofs.ceilings != NULL)
    {
      g_ptr_array_add (checks, dyno_check_new_levels (roofs.ceilings));
      g_ptr_array_add (checks, dyno_check_new_threads (roofs.ceilings));
      g_ptr_array_unref (roofs.ceilings);
    }
  else
    g_ptr_array_add (checks,
                     dyno_check_new ("levels", _ ("Memory levels"), DYNO_CHECK_UNCHECKED,
                                     g_cancellable_is_cancelled (cancellable)
                                         ? g_strdup (_ ("The machine is too busy to measure its roofs "
                                                        "in two minutes."))
                                         : g_strdup (roofs.error->message)));
  g_clear_error (&roofs.error);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error))
    return DYNO_CLI_USAGE;
  if (dyno_cli_answer_is_text ())
    {
      dyno_cli_say (_ ("Checks the measuring on this machine, which takes up to two minutes.\n"));
      g_print ("\n");
    }

  gint64 begun_us = g_get_monotonic_time ();
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (DynoSelfTestPlan) base = machine != NULL ? dyno_self_test_plan_new (0, error) : NULL;
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_check_free);
  g_autofree char *python_version = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_auto (Beside) beside = { NULL };
  guint threads;
  double noise_floor;

  if (base == NULL)
    return DYNO_CLI_FAILED;
  python_version = dyno_cli_verify_dup_python_version ();
  threads = dyno_machine_get_n_usable_threads (machine);
  plan = create_plan (base->plan, dyno_plan_get_backends (base->plan)[0], threads, N_PROCESSES);
  if (!measure (&beside, plan, python_version != NULL ? dyno_cli_verify_run_python : NULL, begun_us,
                CPU_SECONDS, error))
    return DYNO_CLI_FAILED;
  check_cpu (checks, &beside, python_version, &noise_floor);
  g_ptr_array_insert (checks, 2, check_openvino (base->plan, threads, begun_us, noise_floor));
  check_ceilings (checks, begun_us);
  document = dyno_report_verification_new (checks);
  return dyno_cli_answer_print (document, error) && dyno_check_find_worst (checks) != DYNO_CHECK_FAIL
             ? DYNO_CLI_OK
             : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_verify_command = {
  .name = "verify",
  .parameters = "",
  .summary = "Check the measuring itself on this machine",
  .description =
      "Measures one small model by Dyno and, process by process beside it, by a bare loop over the engine "
      "and by other tools if they are installed (ONNX Runtime's Python package, OpenVINO's benchmark_app). "
      "Compares the model with itself, the roofs of the machine with each other, and its sensors with each "
      "other. Each check passes, fails or warns; on a busy machine it warns that it cannot tell. Nothing is "
      "stored. The exit status is 1 if a check fails.\n\n"
      "Examples:\n"
      "  dyno-cli verify\n"
      "  dyno-cli verify --json\n",
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
