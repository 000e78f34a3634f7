/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoObjective:
 * @DYNO_OBJECTIVE_LATENCY: the least median latency
 * @DYNO_OBJECTIVE_THROUGHPUT: the most items per second
 * @DYNO_OBJECTIVE_ENERGY: the most items per joule
 * @DYNO_OBJECTIVE_MEMORY: the least peak memory
 *
 * One objective of a goal.
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
 * @DYNO_LIMIT_LATENCY: the p90 latency, in ms
 * @DYNO_LIMIT_MEMORY: the peak memory, in MB
 * @DYNO_LIMIT_POWER: the mean power, in W
 * @DYNO_LIMIT_ERROR: the largest deviation of an output from the output of the CPU backend, in per cent of its scale
 *
 * A limit on the cost of a case.
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
 * DynoPrice:
 * @per_hour: the price of an hour on the machine; 0 if it is not known
 * @currency: its currency as the user writes it, or empty
 *
 * The price of a machine, which only its user knows.
 */
typedef struct
{
  double per_hour;
  char currency[16];
} DynoPrice;

/**
 * DynoGoal:
 * @weights: the weight of each objective, 0 for none
 * @limits: the largest allowed values, in the units of DynoLimit; infinite for no limit
 * @allows_moving_turns: whether a case that took turns need not be steady, because it is only compared with those that took
 *   turns with it
 * @price: the price of the machine, which only adds costs to the answer
 *
 * The weighted objectives, and the limits.
 */
typedef struct
{
  double weights[DYNO_N_OBJECTIVES];
  double limits[DYNO_N_LIMITS];
  gboolean allows_moving_turns;
  DynoPrice price;
} DynoGoal;

/* Returns its name for people, such as “Lowest median latency”. */
const char *dyno_objective_get_label (DynoObjective objective);
/* Returns the stable name of the value that it uses. */
const char *dyno_objective_get_metric (DynoObjective objective);
/* Returns the unit of that value. */
const char *dyno_objective_get_unit (DynoObjective objective);
/* Returns its stable name, for command lines and files. */
const char *dyno_limit_to_string (DynoLimit limit);
/* Returns the limit for people, such as “Memory ≤ 2 GB”. */
char *dyno_limit_dup_text (DynoLimit limit, double most);

/* Sets a goal without limits. */
void dyno_goal_init (DynoGoal *self, DynoObjective objective);
/* Parses a goal, and returns whether @text is one. @text: the names of objectives, separated by commas,
 * each with its weight after a `=`, else 1. Fails with DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_goal_parse (DynoGoal *self, const char *text, GError **error);
/* Returns the objective with the largest weight, the first of equals. */
DynoObjective dyno_goal_get_main (const DynoGoal *self);
/* Returns whether it has several objectives. */
gboolean dyno_goal_is_weighted (const DynoGoal *self);
/* Returns the text that dyno_goal_parse() accepts, without the limits. The caller owns it. */
char *dyno_goal_to_string (const DynoGoal *self);
/* Returns it for people: “Lowest median latency”, or “Lowest median latency × 2, least memory × 1”. */
char *dyno_goal_dup_label (const DynoGoal *self);
/* Returns the cost, less is better; NaN where a weighted value was not measured. It is the weighted
 * geometric mean of the values to minimize and of the inverses of those to maximize, so only ratios of
 * costs have a meaning; with one objective they are the ratios of its value. */
double dyno_goal_get_cost (const DynoGoal *self, DynoResult *result);
/* Returns why the case cannot be recommended for the goal, as a sentence; NULL if it can. The caller owns
 * it. */
char *dyno_goal_explain (const DynoGoal *self, DynoResult *result);

/* dyno-price */

/* Returns whether @text is a price. @text: a number and perhaps a currency, such as `2.5` or `2.5 USD`; empty for none. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT. */
gboolean dyno_price_parse (DynoPrice *self, const char *text, GError **error);
/* Returns what a million tokens or items cost if the case ran all the time; NaN if there is no price, or its rate was not
 * measured. */
double dyno_price_get_cost (const DynoPrice *self, DynoResult *result);
/* Returns that cost with its unit, such as “0.42 USD per million images”; NULL if there is none. */
char *dyno_price_dup_cost (const DynoPrice *self, DynoResult *result);
/* Returns the price and the rate that it follows from; NULL if there is none. */
char *dyno_price_dup_source (const DynoPrice *self, DynoResult *result);

G_END_DECLS
