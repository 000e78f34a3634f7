/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "chart-fixture.h"
#include "dyno-report.h"

/* As many processes as benchstat wants for an interval. */
#define N_PROCESSES 6

static DynoRun *
create_repeated (void)
{
  DynoRun *run = dyno_run_new (NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-tiny", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  for (guint i = 0; i < N_PROCESSES; i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      g_ptr_array_add (invocation->values,
                       dyno_value_new ("latency_p50_ms", 2 + 0.01 * i, "ms", DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, invocation);
    }
  dyno_result_add_measured (result, "latency_p50_ms", 2.025, "ms", "clock");
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_run_add_result (run, result);
  return run;
}

static GPtrArray *
create_runs (guint n_repeated)
{
  GPtrArray *runs;

  if (n_repeated == 0)
    return fixture_list (fixture_disturb (fixture_create_sweep ("Sweep", 2, 3)), fixture_create_modules (),
                         fixture_create_single (), NULL);
  runs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_repeated; i++)
    g_ptr_array_add (runs, create_repeated ());
  return runs;
}

/* Writes a report in the format that is named, for tests in other languages: of runs that hold something of everything, or
 * of so many runs of the same case. */
int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) runs = create_runs (argc > 2 ? (guint)g_ascii_strtoull (argv[2], NULL, 10) : 0);
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GBytes) report =
      dyno_report_write (dyno_report_format_find (argc > 1 ? argv[1] : "json"), NULL, &source, NULL);
  gsize size;
  const char *data = report != NULL ? g_bytes_get_data (report, &size) : NULL;

  return data != NULL && fwrite (data, 1, size, stdout) == size ? 0 : 1;
}
