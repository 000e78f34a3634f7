/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-machine.h"
#include "dyno-result.h"

G_BEGIN_DECLS

/* dyno-case-check */

/* Checks a case before anything is started for it: whether the model exists, whether the sizes fit it, and
 * whether the engine and the machine have the device, the precision, the operators and the memory. The reason
 * contains the arithmetic and names alternatives. Reads files and may probe, so it belongs on a thread.
 * Returns whether the case is worth starting. @result: a pending result; gets the facts about the model, and
 * its status when the case cannot run. @tried may be NULL. @tried holds DynoTriedCase. */
gboolean dyno_case_check (DynoResult *result, DynoMachine *machine, GPtrArray *tried);
/* Like dyno_case_check(), but names no alternatives, because probing all backends may take minutes. */
gboolean dyno_case_check_alone (DynoResult *result, DynoMachine *machine);
/* Reads files, so it belongs on a thread. Returns about how many bytes of memory the case needs; 0 if that is unknown.
 * @on_device: of a device with its own memory, instead of the machine. */
gint64 dyno_case_estimate_bytes (DynoCase *kase, gboolean on_device);
/* Reads files and may probe, so it belongs on a thread. Returns a sentence with alternatives from
 * dyno_compatibility_recommend(); NULL if there are none. The caller owns it. @tried: the cases of the same
 * run, this one included. */
char *dyno_case_recommend (DynoCase *kase, DynoMachine *machine, GPtrArray *tried);

/* Reads files and may probe, so it belongs on a thread. Returns where a case that cannot run may run instead, as a plan names
 * it; NULL if nowhere. The caller owns it. @tried: the cases of the same run, this one included. */
char *dyno_case_find_nearest (DynoCase *kase, DynoMachine *machine, GPtrArray *tried);

/* dyno-side-group */

/**
 * DYNO_SIDE_GROUP_CODE:
 *
 * The code of the diagnostic that says why cases that are compared could not take turns.
 */
#define DYNO_SIDE_GROUP_CODE "one-after-another"

/**
 * DynoSideGroup:
 * @cases: (element-type DynoCase): two or more, or one with an obstacle
 * @obstacle: (nullable): why they cannot take turns, as a sentence
 *
 * Cases of a plan that do the same work in different ways, so that they are compared with each other. A case that
 * cannot run beside others is alone in its group.
 */
typedef struct
{
  GPtrArray *cases;
  char *obstacle;
} DynoSideGroup;

/* Returns a text that only cases of the same work have, however they do it. The caller owns it. */
char *dyno_case_dup_work (DynoCase *self);
/* Reads models and may probe, so it belongs on a thread. Returns the groups of the cases; a case that nothing else is
 * like is in none. Elements are DynoSideGroup. The caller owns it. @cases holds DynoCase. */
GPtrArray *dyno_side_group_list (GPtrArray *cases, DynoMachine *machine);

G_END_DECLS
