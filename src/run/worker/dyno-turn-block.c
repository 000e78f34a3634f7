/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-random.h"
#include "dyno-run-worker-private.h"
#include "dyno-stop-rule.h"

#define LEAST_SAMPLES        3
#define LONGEST_MILLISECONDS 250

/* The first look at the ratios; fewer hardly ever have an interval. */
#define FIRST_LOOK 10

/* The share of the time that is left for the turns of one block. */
#define SHARE_OF_REST 0.25

/* A side may take so many times as long to get ready as the slowest one before it. */
#define PATIENCE 3

/* Shares of the time of a block, for a countdown only. */
#define SHARE_OF_PREPARE 0.3
#define SHARE_OF_TURNS   0.5

/* A case in the block. A worker that is gone has a result or an error. */
typedef struct
{
  DynoTurnBlock *block; /* not owned */
  DynoCase *kase;
  DynoWorkerClient *client;
  gboolean is_left_out; /* there was no time to prepare it */
  gint64 began;         /* to get ready, in µs */
  double ready_seconds; /* how long that took; 0 until it is ready */
  guint n_samples;      /* of its next turn */
  GArray *medians;      /* of its turns, in ms */
  DynoStopRule rule;
  DynoResult *result;
  GError *error;
} Side;

struct _DynoTurnBlock
{
  GObject parent_instance;

  GPtrArray *sides;
  guint invocation;
  gboolean analyses;
  DynoRandom random;
  DynoMethod *method; /* for one invocation */
  double stall_seconds;
  double deadline_seconds;
  gint64 ends_at;         /* with the time for the whole run, in µs; 0 if there is no such time */
  double prepare_seconds; /* for all sides together, if there is such a time */
  gint64 prepared_at;     /* when these are over, in µs */
  gint64 first_at;        /* when there is no time left for the first side to get ready, in µs */
  gint64 needed_at;       /* likewise for the second one */

  GTask *task;
  GArray *order;  /* of indexes of sides */
  guint position; /* in the order, of the side that works */
  enum
  {
    PREPARES,
    TAKES_TURNS,
    FINISHES,
  } stage;
  guint n_rounds;
  guint next_look;
  gint64 began;       /* the turns, in µs */
  double max_seconds; /* of the turns of all sides */
  gboolean is_full;
};

enum
{
  BEAT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DynoTurnBlock, dyno_turn_block, G_TYPE_OBJECT)

static void advance (DynoTurnBlock *self);

static void
side_free (gpointer data)
{
  Side *side = data;

  g_object_unref (side->kase);
  if (side->client != NULL)
    g_signal_handlers_disconnect_by_data (side->client, side);
  g_clear_object (&side->client);
  g_array_unref (side->medians);
  g_clear_object (&side->result);
  g_clear_error (&side->error);
  g_free (side);
}

static void
dyno_turn_block_finalize (GObject *object)
{
  DynoTurnBlock *self = DYNO_TURN_BLOCK (object);

  g_ptr_array_unref (self->sides);
  g_array_unref (self->order);
  g_clear_object (&self->method);

  G_OBJECT_CLASS (dyno_turn_block_parent_class)->finalize (object);
}

static void
dyno_turn_block_class_init (DynoTurnBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_turn_block_finalize;

  signals[BEAT] = g_signal_new ("beat", DYNO_TYPE_TURN_BLOCK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 6, G_TYPE_UINT, DYNO_TYPE_WORKER_CLIENT, G_TYPE_STRING,
                                G_TYPE_INT64, G_TYPE_UINT, G_TYPE_VARIANT);
}

static void
dyno_turn_block_init (DynoTurnBlock *self)
{
  self->sides = g_ptr_array_new_with_free_func (side_free);
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->next_look = FIRST_LOOK;
  self->stall_seconds = 120;
  self->deadline_seconds = 3600;
}

static Side *
get_side (DynoTurnBlock *self, guint index)
{
  return g_ptr_array_index (self->sides, index);
}

static gboolean
is_alive (const Side *side)
{
  return side->result == NULL && side->error == NULL && !side->is_left_out;
}

static Side *
get_working (DynoTurnBlock *self)
{
  return get_side (self, g_array_index (self->order, guint, self->position));
}

DynoTurnBlock *
dyno_turn_block_new (GPtrArray *cases, guint invocation, gboolean analyses, guint64 seed)
{
  DynoTurnBlock *self = g_object_new (DYNO_TYPE_TURN_BLOCK, NULL);

  g_return_val_if_fail (cases->len > 0, self);

  self->invocation = invocation;
  self->analyses = analyses;
  self->method = dyno_method_share_out (dyno_case_get_method (cases->pdata[0]));
  dyno_random_init (&self->random, seed);
  for (guint i = 0; i < cases->len; i++)
    {
      Side *side = g_new0 (Side, 1);

      side->block = self;
      side->kase = g_object_ref (cases->pdata[i]);
      side->medians = g_array_new (FALSE, FALSE, sizeof (double));
      side->rule.percent = dyno_method_get_interval_percent (dyno_case_get_method (side->kase));
      g_ptr_array_add (self->sides, side);
    }
  return self;
}

void
dyno_turn_block_set_limits (DynoTurnBlock *self, double stall_seconds, double deadline_seconds)
{
  g_return_if_fail (DYNO_IS_TURN_BLOCK (self));

  self->stall_seconds = stall_seconds;
  self->deadline_seconds = deadline_seconds;
}

void
dyno_turn_block_set_seconds_left (DynoTurnBlock *self, double seconds, double prepare_seconds)
{
  gint64 now = g_get_monotonic_time ();

  g_return_if_fail (DYNO_IS_TURN_BLOCK (self));

  self->ends_at = now + (gint64)(seconds * G_USEC_PER_SEC);
  self->prepare_seconds = prepare_seconds;
  self->prepared_at = now + (gint64)(prepare_seconds * G_USEC_PER_SEC);
  self->first_at = now + (gint64)(MAX (DYNO_TIME_SHARE_OF_FIRST * seconds, prepare_seconds) * G_USEC_PER_SEC);
  self->needed_at =
      now + (gint64)(MAX (DYNO_TIME_SHARE_OF_SECOND * seconds, prepare_seconds) * G_USEC_PER_SEC);
}

void
dyno_time_share_add (DynoTimeShare *self, double seconds)
{
  self->fastest = self->n_ready == 0 ? seconds : MIN (self->fastest, seconds);
  self->slowest = MAX (self->slowest, seconds);
  self->n_ready++;
}

double
dyno_time_share_get (const DynoTimeShare *self)
{
  double share = MAX (self->all_seconds / self->n_all, PATIENCE * self->slowest);

  /* One number is better than none, and two are a comparison. */
  if (self->n_ready < 2)
    return MAX (self->n_ready == 0 ? self->first_seconds : self->needed_seconds, 0) /
           CLAMP (self->n_waiting, 1, 2);
  return self->seconds >= self->fastest ? MIN (self->seconds, share) : 0;
}

guint
dyno_turn_block_choose_samples (double sample_ms)
{
  double n = ceil (DYNO_TURN_MILLISECONDS / sample_ms);
  double most = floor (LONGEST_MILLISECONDS / sample_ms);

  return (guint)CLAMP (MIN (MAX (n, LEAST_SAMPLES), most), 1, G_MAXINT);
}

/* If time is short, sides get ready in the order in which they are wanted. */
static void
draw_order (DynoTurnBlock *self)
{
  g_array_set_size (self->order, 0);
  for (guint i = 0; i < self->sides->len; i++)
    {
      guint place =
          self->stage == PREPARES && self->ends_at > 0 ? i : dyno_random_below (&self->random, i + 1);

      g_array_insert_val (self->order, place, i);
    }
  self->position = 0;
}

/* The ratios are to the first side that is alive. */
static const Side *
find_reference (DynoTurnBlock *self)
{
  for (guint i = 0; i < self->sides->len; i++)
    if (is_alive (get_side (self, i)))
      return get_side (self, i);
  return NULL;
}

static gboolean
look (DynoTurnBlock *self)
{
  const Side *reference = find_reference (self);
  gboolean is_known = TRUE;
  guint n_ratios = 0;

  self->next_look = (guint)ceil (self->n_rounds * DYNO_STOP_RULE_GROWTH);
  for (guint i = 0; i < self->sides->len; i++)
    {
      Side *side = get_side (self, i);

      if (!is_alive (side) || side == reference)
        continue;
      n_ratios++;

      g_autofree double *ratios = g_new (double, self->n_rounds);

      for (guint k = 0; k < self->n_rounds; k++)
        ratios[k] = g_array_index (side->medians, double, k) / g_array_index (reference->medians, double, k);
      if (!dyno_stop_rule_look (&side->rule, ratios, self->n_rounds))
        is_known = FALSE;
    }
  /* The only one left has no ratio, and takes the time of all. */
  return is_known && n_ratios > 0;
}

static double
get_seconds (DynoTurnBlock *self)
{
  return (double)(g_get_monotonic_time () - self->began) / G_USEC_PER_SEC;
}

static void
measured_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  Side *side = data;
  g_autoptr (DynoTurnBlock) self = g_object_ref (side->block);
  gboolean works = side == get_working (self);

  side->result = dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), async_result, &side->error);
  if (works)
    advance (self);
  g_object_unref (self); /* the reference of the call */
}

static void
waits_cb (Side *side, double sample_ms, double cold_ms, double median_ms)
{
  DynoTurnBlock *self = side->block;

  side->n_samples = dyno_turn_block_choose_samples (sample_ms);
  if (self->stage == PREPARES)
    {
      side->ready_seconds = (double)(g_get_monotonic_time () - side->began) / G_USEC_PER_SEC;
      dyno_worker_client_set_limits (side->client, self->stall_seconds, self->deadline_seconds);
    }
  else
    {
      self->is_full = self->is_full || isnan (median_ms);
      g_array_append_val (side->medians, median_ms);
    }
  advance (self);
}

static void
beat_cb (Side *side, const char *phase, gint64 time, guint n_samples, GVariant *latencies)
{
  guint index = 0;

  g_ptr_array_find (side->block->sides, side, &index);
  g_signal_emit (side->block, signals[BEAT], 0, index, side->client, phase, time, n_samples, latencies);
}

static void
begin_stage (DynoTurnBlock *self)
{
  draw_order (self);
  if (self->stage == PREPARES)
    {
      self->stage = TAKES_TURNS;
      self->began = g_get_monotonic_time ();
      self->max_seconds = self->sides->len * dyno_method_get_max_seconds (self->method);
      if (self->ends_at > 0)
        self->max_seconds = CLAMP (SHARE_OF_REST * (double)(self->ends_at - self->began) / G_USEC_PER_SEC, 0,
                                   self->max_seconds);
      return;
    }
  self->n_rounds++;

  double seconds = get_seconds (self);

  if (find_reference (self) == NULL || self->is_full || seconds >= self->max_seconds ||
      (self->n_rounds >= self->next_look && look (self) &&
       seconds >= self->sides->len * dyno_method_get_min_seconds (self->method)))
    self->stage = FINISHES;
}

/* Returns how long the next side may take to get ready; 0 if there is no time for it. */
static double
get_prepare_seconds (DynoTurnBlock *self)
{
  gint64 now = g_get_monotonic_time ();
  DynoTimeShare share = { .all_seconds = self->prepare_seconds,
                          .seconds = (double)(self->prepared_at - now) / G_USEC_PER_SEC,
                          .first_seconds = (double)(self->first_at - now) / G_USEC_PER_SEC,
                          .needed_seconds = (double)(self->needed_at - now) / G_USEC_PER_SEC,
                          .n_all = self->sides->len,
                          .n_waiting = self->sides->len - self->position };

  if (g_cancellable_is_cancelled (g_task_get_cancellable (self->task)))
    return 0;
  if (self->ends_at == 0)
    return self->deadline_seconds;
  for (guint i = 0; i < self->position; i++)
    {
      const Side *side = get_side (self, g_array_index (self->order, guint, i));

      if (is_alive (side))
        dyno_time_share_add (&share, side->ready_seconds);
    }
  return MIN (self->deadline_seconds, dyno_time_share_get (&share));
}

static void
give_turn (DynoTurnBlock *self, Side *side)
{
  if (self->stage == PREPARES)
    {
      side->client = dyno_worker_client_new ();
      side->began = g_get_monotonic_time ();
      dyno_worker_client_set_limits (side->client, self->stall_seconds, get_prepare_seconds (self));
      g_signal_connect_swapped (side->client, "waits", G_CALLBACK (waits_cb), side);
      g_signal_connect_swapped (side->client, "beat", G_CALLBACK (beat_cb), side);
      g_object_ref (self);
      dyno_worker_client_measure_in_turns_async (side->client, side->kase, self->invocation, self->analyses,
                                                 g_task_get_cancellable (self->task), measured_cb, side);
    }
  else if (self->stage == TAKES_TURNS)
    dyno_worker_client_take_turn (side->client, side->n_samples);
  else if (self->ends_at == 0)
    dyno_worker_client_end_turns (side->client);
}

/* Returns whether the side can have its turn. One that there is no time to prepare is left out. */
static gboolean
can_work (DynoTurnBlock *self, Side *side)
{
  if (self->stage == PREPARES && is_alive (side))
    side->is_left_out = get_prepare_seconds (self) <= 0;
  return is_alive (side);
}

/* Sides that died meanwhile are left out. */
static void
advance (DynoTurnBlock *self)
{
  do
    {
      self->position++;
      if (self->position < self->sides->len)
        continue;
      if (self->stage == FINISHES || find_reference (self) == NULL)
        {
          g_task_return_boolean (self->task, TRUE);
          g_clear_object (&self->task);
          return;
        }
      begin_stage (self);
      /* Nothing is measured any more, so if time is short, all sides sum up at once. */
      for (guint i = 0; self->stage == FINISHES && self->ends_at > 0 && i < self->sides->len; i++)
        if (is_alive (get_side (self, i)))
          dyno_worker_client_end_turns (get_side (self, i)->client);
    }
  while (!can_work (self, get_working (self)));
  give_turn (self, get_working (self));
}

void
dyno_turn_block_run_async (DynoTurnBlock *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (DYNO_IS_TURN_BLOCK (self));
  g_return_if_fail (self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, dyno_turn_block_run_async);
  g_task_set_check_cancellable (self->task, FALSE); /* each side says that it was cancelled */
  draw_order (self);
  if (can_work (self, get_working (self)))
    give_turn (self, get_working (self));
  else
    advance (self);
}

void
dyno_turn_block_run_finish (DynoTurnBlock *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

DynoResult *
dyno_turn_block_steal_result (DynoTurnBlock *self, guint index, GError **error)
{
  Side *side;

  g_return_val_if_fail (DYNO_IS_TURN_BLOCK (self), NULL);
  g_return_val_if_fail (index < self->sides->len, NULL);

  side = get_side (self, index);
  if (side->error != NULL)
    g_propagate_error (error, g_error_copy (side->error));
  return g_steal_pointer (&side->result);
}

guint
dyno_turn_block_get_n_rounds (DynoTurnBlock *self)
{
  g_return_val_if_fail (DYNO_IS_TURN_BLOCK (self), 0);
  return self->n_rounds;
}

double
dyno_turn_block_get_fraction (DynoTurnBlock *self)
{
  double within;

  g_return_val_if_fail (DYNO_IS_TURN_BLOCK (self), 0);

  within = (double)self->position / self->sides->len;
  if (self->stage == PREPARES)
    return SHARE_OF_PREPARE * within;
  if (self->stage == FINISHES)
    return SHARE_OF_PREPARE + SHARE_OF_TURNS + (1 - SHARE_OF_PREPARE - SHARE_OF_TURNS) * within;
  within = get_seconds (self) / self->max_seconds;
  return SHARE_OF_PREPARE + SHARE_OF_TURNS * MIN (within, 1);
}
