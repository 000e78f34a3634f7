/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoObjective:
 * @DYNO_OBJECTIVE_LATENCY: the least latency that nine of ten steps keep
 * @DYNO_OBJECTIVE_THROUGHPUT: the most items per second
 * @DYNO_OBJECTIVE_ENERGY: the most items per joule
 * @DYNO_OBJECTIVE_MEMORY: the least memory at its peak
 *
 * One thing that can be wanted of a case.
 */
typedef enum
{
  DYNO_OBJECTIVE_LATENCY,
  DYNO_OBJECTIVE_THROUGHPUT,
  DYNO_OBJECTIVE_ENERGY,
  DYNO_OBJECTIVE_MEMORY,
} DynoObjective;

#define DYNO_N_OBJECTIVES (DYNO_OBJECTIVE_MEMORY + 1)

/**
 * DynoLimit:
 * @DYNO_LIMIT_LATENCY: the latency that nine of ten steps keep, in ms
 * @DYNO_LIMIT_MEMORY: the memory at its peak, in MB
 * @DYNO_LIMIT_POWER: the mean power, in W
 * @DYNO_LIMIT_ERROR: the largest deviation of an output from that of the CPU backend, in per cent of its scale
 *
 * What a case may need at most.
 */
typedef enum
{
  DYNO_LIMIT_LATENCY,
  DYNO_LIMIT_MEMORY,
  DYNO_LIMIT_POWER,
  DYNO_LIMIT_ERROR,
} DynoLimit;

#define DYNO_N_LIMITS (DYNO_LIMIT_ERROR + 1)

/**
 * DynoGoal:
 * @weights: how much each objective counts, 0 for not at all
 * @limits: what a case may need at most, in the units of [enum@Dyno.Limit]; infinite for any
 *
 * What is wanted, and within which limits.
 */
typedef struct
{
  double weights[DYNO_N_OBJECTIVES];
  double limits[DYNO_N_LIMITS];
} DynoGoal;

/* Returns what people call it, such as “Lowest p90 latency”. */
const char *dyno_objective_get_label (DynoObjective objective);
/* Returns the stable name of the value by which it is judged. */
const char *dyno_objective_get_metric (DynoObjective objective);
/* Returns the unit of that value. */
const char *dyno_objective_get_unit (DynoObjective objective);
/* Returns its stable name, for command lines and files. */
const char *dyno_limit_to_string (DynoLimit limit);
/* Returns the limit for people, such as “Memory ≤ 2 GB”. */
char *dyno_limit_dup_text (DynoLimit limit, double most);

/* Sets a goal without limits. */
void dyno_goal_init (DynoGoal *self, DynoObjective objective);
/* Returns whether @text is a goal. @text: objectives by their names, separated by commas, each with its
 * weight behind a `=`, else 1. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_goal_parse (DynoGoal *self, const char *text, GError **error);
/* Returns the objective that counts most, the first of equals. */
DynoObjective dyno_goal_get_main (const DynoGoal *self);
/* Returns whether several things are wanted. */
gboolean dyno_goal_is_weighted (const DynoGoal *self);
/* Returns what dyno_goal_parse() takes; without the limits. The caller owns it. */
char *dyno_goal_to_string (const DynoGoal *self);
/* Returns it for people: “Lowest p90 latency”, or “Lowest p90 latency × 2, least memory × 1”. */
char *dyno_goal_dup_label (const DynoGoal *self);
/* The weighted geometric mean of what is to be small and of the inverse of what is to be large, so that
 * only ratios of costs mean anything, and those of one objective are the ratios of its value. Returns the
 * less, the better; NaN where something that counts was not measured. */
double dyno_goal_get_cost (const DynoGoal *self, DynoResult *result);
/* Returns why it cannot be recommended for the goal, as a sentence; NULL if it can. The caller owns it. */
char *dyno_goal_explain (const DynoGoal *self, DynoResult *result);

G_END_DECLS
