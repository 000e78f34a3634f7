/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoTaskState:
 * @DYNO_TASK_WAITING: it has not begun, or begins anew
 * @DYNO_TASK_RUNNING: it is at work
 * @DYNO_TASK_ENDED: the scheduler says that it came to its end; only its document tells whether it is done
 * @DYNO_TASK_DONE: its document is there, with every case
 * @DYNO_TASK_FAILED: it ended without the rest of its cases
 * @DYNO_TASK_STOPPED: somebody cancelled it
 * @DYNO_TASK_LOST: nobody knows of it, or whoever does gives no answer
 *
 * How a task on another machine stands.
 */
typedef enum
{
  DYNO_TASK_WAITING,
  DYNO_TASK_RUNNING,
  DYNO_TASK_ENDED,
  DYNO_TASK_DONE,
  DYNO_TASK_FAILED,
  DYNO_TASK_STOPPED,
  DYNO_TASK_LOST,
} DynoTaskState;

/* A word that is not known is of a newer Slurm, of a task that it still has. Returns how the task stands.
 * @word: a state as Slurm names it; “CANCELLED by 0” is one too. @why (nullable): what it means for the
 * task, where the state alone says too little. */
DynoTaskState dyno_task_state_from_slurm (const char *word, const char **why);
/* Returns a sentence, or the name where it says enough or is not known. The caller owns it. */
char *dyno_task_state_explain_slurm (const char *reason);
/* Returns one word for it, for programs. */
const char *dyno_task_state_to_string (DynoTaskState state);
/* Returns one word for it. */
const char *dyno_task_state_get_label (DynoTaskState state);

G_END_DECLS
