/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoTaskState:
 * @DYNO_TASK_WAITING: not begun, or about to begin again
 * @DYNO_TASK_RUNNING: running
 * @DYNO_TASK_ENDED: ended, according to the scheduler; only its document shows whether it is done
 * @DYNO_TASK_DONE: its document has every case
 * @DYNO_TASK_FAILED: ended with unfinished cases
 * @DYNO_TASK_STOPPED: cancelled
 * @DYNO_TASK_LOST: unknown to its driver, or the driver gives no answer
 *
 * The state of a task on another machine.
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

/* Returns the state of the task; an unknown word is from a newer Slurm and counts as waiting. @word: a
 * state as Slurm names it, or a text such as “CANCELLED by 0”. @why (nullable): an explanation, if the
 * state needs one. */
DynoTaskState dyno_task_state_from_slurm (const char *word, const char **why);
/* Returns a sentence, or the name itself if it is clear enough or unknown. The caller owns it. */
char *dyno_task_state_explain_slurm (const char *reason);
/* Returns its stable name, for programs. */
const char *dyno_task_state_to_string (DynoTaskState state);
/* Returns its name for people, one word. */
const char *dyno_task_state_get_label (DynoTaskState state);

G_END_DECLS
