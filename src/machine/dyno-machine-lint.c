/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-diagnostic.h"
#include "dyno-json.h"
#include "dyno-machine-private.h"

/* A little swap in use does no harm; more than this share of the memory does. */
#define SWAP_SHARE 0.01

typedef struct
{
  GPtrArray *findings;
  JsonObject *cpu;
  JsonObject *memory;
  JsonObject *host;
  JsonObject *container;
  JsonObject *state;
  double busy_processors;
} Lint;

static void G_GNUC_PRINTF (4, 5)
    report (Lint *lint, DynoSeverity severity, const char *code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (lint->findings, dyno_diagnostic_new (severity, code, message));
}

static void
lint_load (Lint *lint)
{
  gint64 n_threads = dyno_json_member_get_int64 (lint->cpu, "threads", 1);

  if (dyno_disturbance_is_loud (lint->busy_processors, (double)n_threads))
    report (lint, DYNO_SEVERITY_WARNING, "machine-load",
            _ ("%.1f CPU cores were busy with other work just before the measurement. Close other programs "
               "and measure again."),
            lint->busy_processors);
}

static void
lint_governor (Lint *lint)
{
  const char *governor = dyno_json_member_get_string (lint->state, "governor");

  if (governor != NULL && !g_str_equal (governor, "performance"))
    report (lint, DYNO_SEVERITY_INFO, "governor",
            _ ("The processors' frequency governor is “%s”: clocks may follow the load. “performance” keeps "
               "them high."),
            governor);
}

static void
lint_battery (Lint *lint)
{
  if (dyno_json_member_get_boolean (lint->state, "on_battery"))
    report (lint, DYNO_SEVERITY_WARNING, "on-battery",
            _ ("The machine runs on battery and may save power. Plug it in and measure again."));
}

static void
lint_swap (Lint *lint)
{
  gint64 used = dyno_json_member_get_int64 (lint->state, "swap_used_bytes", 0);
  gint64 total = dyno_json_member_get_int64 (lint->memory, "total_bytes", 0);
  g_autofree char *size = g_format_size (MAX (used, 0));

  if (used > total * SWAP_SHARE)
    report (lint, DYNO_SEVERITY_WARNING, "swap",
            _ ("%s of memory are swapped out: memory is short. Close other programs and measure again."),
            size);
}

static void
lint_cpu_limit (Lint *lint)
{
  double limit = dyno_json_member_get_double (lint->container, "cpu_limit", INFINITY);

  if (isfinite (limit) && limit < dyno_json_member_get_int64 (lint->cpu, "threads", 0))
    report (lint, DYNO_SEVERITY_WARNING, "threads-limited",
            _ ("The container is limited to %.1f CPU cores, fewer than the machine has: latencies may show "
               "the limit, not the machine."),
            limit);
}

static void
lint_threads (Lint *lint)
{
  gint64 n_usable = dyno_json_member_get_int64 (lint->cpu, "usable_threads", 0);
  gint64 n_threads = dyno_json_member_get_int64 (lint->cpu, "threads", 0);
  double limit = dyno_json_member_get_double (lint->container, "cpu_limit", INFINITY);

  if (n_usable < n_threads && limit >= n_threads)
    report (lint, DYNO_SEVERITY_INFO, "threads-limited",
            _ ("Of the machine’s %" PRId64 " hardware threads, %" PRId64 " may be used."), n_threads,
            n_usable);
}

static void
lint_hypervisor (Lint *lint)
{
  if (dyno_json_member_get_boolean (lint->host, "virtual"))
    report (lint, DYNO_SEVERITY_INFO, "virtual-machine",
            _ ("This is a virtual machine: other guests may use the same CPU cores unnoticed."));
}

static void
lint_heat (Lint *lint)
{
  gint64 n_throttles = dyno_json_member_get_int64 (lint->state, "thermal_throttles", 0);

  if (n_throttles > 0)
    report (lint, DYNO_SEVERITY_INFO, "thermal-throttling",
            _ ("A core was throttled by heat %" PRId64 " times since the machine started."), n_throttles);
}

static void (*const checks[]) (Lint *lint) = {
  lint_load, lint_governor, lint_battery, lint_swap, lint_cpu_limit, lint_threads, lint_hypervisor, lint_heat,
};

GPtrArray *
dyno_machine_lint_snapshot (JsonObject *snapshot, double busy_processors)
{
  Lint lint = {
    .findings = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_diagnostic_unref),
    .cpu = dyno_json_member_get_object (snapshot, "cpu"),
    .memory = dyno_json_member_get_object (snapshot, "memory"),
    .host = dyno_json_member_get_object (snapshot, "host"),
    .container = dyno_json_member_get_object (snapshot, "container"),
    .state = dyno_json_member_get_object (snapshot, "state"),
    .busy_processors = busy_processors,
  };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](&lint);
  return lint.findings;
}
