/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cluster-private.h"
#include "suite.h"

static void
check (const char *reason, const char *words)
{
  g_autofree char *text = dyno_task_state_explain_slurm (reason);

  g_assert_cmpstr (text, ==, words);
}

/* What Slurm says only in its own words stays as it is. */
static void
test_reasons (void)
{
  check ("Resources", "It waits for its node to be free.");
  check ("Priority", "Other jobs come first.");
  check ("ReqNodeNotAvail, UnavailableNodes:n2", "Its node is down, drained or reserved.");
  check ("QOSMaxJobsPerUserLimit", "A limit of the account is reached: QOSMaxJobsPerUserLimit.");
  check ("AssocGrpCpuLimit", "A limit of the account is reached: AssocGrpCpuLimit.");
  check ("Licenses", "Licenses");
}

static const SuiteTest tests[] = {
  { "/task-state/reasons", test_reasons },
};

SUITE_TESTS (tests)
