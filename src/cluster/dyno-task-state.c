/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "dyno-cluster-private.h"

static const struct
{
  const char *word;
  DynoTaskState state;
  const char *why;
} slurm_states[] = {
  { "PENDING", DYNO_TASK_WAITING, NULL },
  { "CONFIGURING", DYNO_TASK_WAITING, NULL },
  { "REQUEUED", DYNO_TASK_WAITING, NULL },
  { "REQUEUE_FED", DYNO_TASK_WAITING, NULL },
  { "REQUEUE_HOLD", DYNO_TASK_WAITING, NULL },
  { "RESV_DEL_HOLD", DYNO_TASK_WAITING, NULL },
  { "SPECIAL_EXIT", DYNO_TASK_WAITING, NULL },
  { "PREEMPTED", DYNO_TASK_WAITING, N_ ("Another job took its place; it begins again where it ended.") },
  { "RUNNING", DYNO_TASK_RUNNING, NULL },
  { "COMPLETING", DYNO_TASK_RUNNING, NULL },
  { "RESIZING", DYNO_TASK_RUNNING, NULL },
  { "SIGNALING", DYNO_TASK_RUNNING, NULL },
  { "STAGE_OUT", DYNO_TASK_RUNNING, NULL },
  { "STOPPED", DYNO_TASK_RUNNING, N_ ("The scheduler holds it.") },
  { "SUSPENDED", DYNO_TASK_RUNNING, N_ ("The scheduler holds it.") },
  { "COMPLETED", DYNO_TASK_ENDED, NULL },
  { "FAILED", DYNO_TASK_FAILED, N_ ("It ended with an error.") },
  { "NODE_FAIL", DYNO_TASK_FAILED, N_ ("Its node failed.") },
  { "BOOT_FAIL", DYNO_TASK_FAILED, N_ ("Its node did not start.") },
  { "LAUNCH_FAILED", DYNO_TASK_FAILED, N_ ("It could not be started on its node.") },
  { "RECONFIG_FAIL", DYNO_TASK_FAILED, N_ ("It could not be started on its node.") },
  { "TIMEOUT", DYNO_TASK_FAILED, N_ ("Its time was up. Finished cases are kept; ask for more with --time.") },
  { "DEADLINE", DYNO_TASK_FAILED,
    N_ ("Its time was up. Finished cases are kept; ask for more with --time.") },
  { "OUT_OF_MEMORY", DYNO_TASK_FAILED, N_ ("Its node had no memory left.") },
  { "CANCELLED", DYNO_TASK_STOPPED, NULL },
  { "REVOKED", DYNO_TASK_STOPPED, NULL },
};

DynoTaskState
dyno_task_state_from_slurm (const char *word, const char **why)
{
  for (guint i = 0; i < G_N_ELEMENTS (slurm_states); i++)
    {
      gsize length = strlen (slurm_states[i].word);

      if (strncmp (word, slurm_states[i].word, length) != 0 || (word[length] != '\0' && word[length] != ' '))
        continue;
      *why = slurm_states[i].why != NULL ? _ (slurm_states[i].why) : NULL;
      return slurm_states[i].state;
    }
  *why = NULL;
  return DYNO_TASK_WAITING;
}

/* Prefixes of the reasons: limits have dozens of names, and some are followed by nodes. */
static const struct
{
  const char *beginning;
  const char *words;
} slurm_reasons[] = {
  { "Resources", N_ ("It waits for its node to be free.") },
  { "Priority", N_ ("Other jobs come first.") },
  { "ReqNodeNotAvail", N_ ("Its node is down, drained or reserved.") },
  { "Reservation", N_ ("Its node is reserved.") },
  { "NodeDown", N_ ("Its node is down.") },
  { "PartitionDown", N_ ("Its partition starts no jobs now.") },
  { "PartitionInactive", N_ ("Its partition starts no jobs now.") },
  { "PartitionTimeLimit", N_ ("It asks for more time than its partition gives. Ask for less with --time.") },
  { "BadConstraints", N_ ("No node has what it asks for.") },
  { "JobHeldUser", N_ ("It is held. “scontrol release” lets it go.") },
  { "JobHeldAdmin", N_ ("An administrator holds it.") },
};

char *
dyno_task_state_explain_slurm (const char *reason)
{
  for (guint i = 0; i < G_N_ELEMENTS (slurm_reasons); i++)
    if (g_str_has_prefix (reason, slurm_reasons[i].beginning))
      return g_strdup (_ (slurm_reasons[i].words));
  if (g_str_has_prefix (reason, "QOS") || g_str_has_prefix (reason, "Assoc"))
    /* Translators: %s is a limit as Slurm names it, such as “QOSMaxJobsPerUserLimit” */
    return g_strdup_printf (_ ("A limit of the account is reached: %s."), reason);
  return g_strdup (reason);
}

static const char *const labels[] = {
  N_ ("waiting"), N_ ("running"), N_ ("ended"), N_ ("done"), N_ ("failed"), N_ ("stopped"), N_ ("lost"),
};

const char *
dyno_task_state_to_string (DynoTaskState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (labels), NULL);
  return labels[state];
}

const char *
dyno_task_state_get_label (DynoTaskState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (labels), NULL);
  return _ (labels[state]);
}
