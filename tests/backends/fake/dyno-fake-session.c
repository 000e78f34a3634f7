/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-fake-session.h"

#define PROVIDER "FakeExecutionProvider"

/* Number of noise factors that are drawn beforehand; a prime, so that it is not a multiple of the number of slots. */
#define N_NOISE 1021

/* The kernel wakes a sleeping thread late, so the last part of the time is spent spinning. */
#define SPIN_NS 200000

/* The sizes that a slot's inputs stand for. */
typedef struct
{
  gint64 batch_size;
  gint64 sequence_length;
} Slot;

/* What the lanes of a session share: when each of the engine's slots will be free. */
typedef struct
{
  GMutex lock;
  gint64 opened_ns;
  gint64 free_ns[DYNO_FAKE_MAX_SLOTS];
} Engine;

struct _DynoFakeSession
{
  DynoSession parent_instance;

  DynoFakeSession *owner; /* (nullable): of a lane, whose script and engine it plays */
  Engine *engine;
  DynoFakeScript *script;
  double time_factor;
  gboolean profiles;
  GArray *slots;
  guint next_slot;
  guint last_slot;
  guint n_runs;
  gint64 step_ns; /* of the last step, by the script */
  gint64 run_ns;
  double noise[N_NOISE];
  gpointer weights;
  gpointer workspace;
  gint64 workspace_size;
};

G_DEFINE_FINAL_TYPE (DynoFakeSession, dyno_fake_session, DYNO_TYPE_SESSION)

static gint64
read_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
wait_until (gint64 deadline_ns)
{
  gint64 left_ns;

  while ((left_ns = deadline_ns - SPIN_NS - read_clock ()) > 0)
    /* nocheck:call the script says how long it takes */
    nanosleep (&(struct timespec){ left_ns / 1000000000, left_ns % 1000000000 }, NULL);
  while (read_clock () < deadline_ns)
    ;
}

/* Every page is written, so that the memory is really allocated. */
static gboolean
allocate (gpointer *memory, gint64 size, GError **error)
{
  g_clear_pointer (memory, g_free);
  if (size == 0)
    return TRUE;
  *memory = g_try_malloc (size);
  if (*memory == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                   _ ("The script asks for %" PRId64 " MB, which this machine does not have."),
                   size / 1000000);
      return FALSE;
    }
  memset (*memory, 0x5a, size);
  return TRUE;
}

static void
end_process (int signal_number)
{
  signal (signal_number, SIG_DFL);
  raise (signal_number);
}

static gboolean
play_fault (const DynoFakeFault *fault, GError **error)
{
  switch (fault->kind)
    {
    case DYNO_FAKE_FAULT_FAIL:
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED, fault->message);
      return FALSE;
    case DYNO_FAKE_FAULT_UNSUPPORTED:
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, fault->message);
      return FALSE;
    case DYNO_FAKE_FAULT_UNREADABLE:
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE, fault->message);
      return FALSE;
    case DYNO_FAKE_FAULT_OUT_OF_MEMORY:
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY, fault->message);
      return FALSE;
    case DYNO_FAKE_FAULT_CRASH:
      end_process (SIGSEGV);
      return FALSE;
    case DYNO_FAKE_FAULT_KILL:
      end_process (SIGKILL);
      return FALSE;
    case DYNO_FAKE_FAULT_HANG:
      for (;;)
        pause ();
    case DYNO_FAKE_FAULT_NOT_A_NUMBER:
    case DYNO_FAKE_FAULT_SLOW:
      return TRUE;
    default:
      g_return_val_if_reached (FALSE);
    }
}

static gboolean
fault_applies (const DynoFakeFault *fault, guint n_runs, gint64 batch_size)
{
  if (fault->batch_size > 0 && fault->batch_size != batch_size)
    return FALSE;
  return (fault->run == 0) == (n_runs == 0) && n_runs >= fault->run;
}

static gboolean
play_faults (DynoFakeSession *self, gint64 batch_size, GError **error)
{
  for (guint i = 0; i < self->script->faults->len; i++)
    {
      const DynoFakeFault *fault = self->script->faults->pdata[i];

      if (fault_applies (fault, self->n_runs, batch_size) && !play_fault (fault, error))
        return FALSE;
    }
  return TRUE;
}

static const DynoFakeFault *
find_fault (DynoFakeSession *self, DynoFakeFaultKind kind, gint64 batch_size)
{
  for (guint i = 0; i < self->script->faults->len; i++)
    {
      const DynoFakeFault *fault = self->script->faults->pdata[i];

      if (fault->kind == kind && fault_applies (fault, self->n_runs, batch_size))
        return fault;
    }
  return NULL;
}

static gint64
compute_step_ns (DynoFakeSession *self, const Slot *slot)
{
  const DynoFakeScript *script = self->script;
  const DynoFakeFault *slow = find_fault (self, DYNO_FAKE_FAULT_SLOW, slot->batch_size);
  double step = script->base_ns + script->per_item_ns * slot->batch_size +
                script->per_token_ns * slot->batch_size * slot->sequence_length;

  if (self->n_runs <= script->warm_up_steps)
    step *=
        1 + (script->warm_up_factor - 1) * (script->warm_up_steps + 1 - self->n_runs) / script->warm_up_steps;
  if (slow != NULL)
    step *= slow->factor;
  return step * self->time_factor * self->noise[self->n_runs % N_NOISE];
}

/* When a step that may begin at @time begins, of an engine that stands still now and then. */
static gint64
skip_stall (DynoFakeSession *self, gint64 time)
{
  gint64 every = self->script->stall_every_ns;
  gint64 since = every > 0 ? (time - self->engine->opened_ns) % every : 0;

  /* It stands still at the end of each of those times. */
  return since > 0 && since >= every - self->script->stall_ns ? time + every - since : time;
}

/* Takes the slot of the engine that is free first, in the order in which steps come. Returns when the step is to be over. */
static gint64
take_slot (DynoFakeSession *self, gint64 start_ns, gint64 step_ns)
{
  Engine *engine = self->engine;
  gint64 *slot = engine->free_ns;

  g_mutex_lock (&engine->lock);
  for (guint i = 1; i < self->script->slots; i++)
    if (engine->free_ns[i] < *slot)
      slot = &engine->free_ns[i];
  *slot = skip_stall (self, MAX (*slot, start_ns)) + step_ns;
  g_mutex_unlock (&engine->lock);
  return *slot;
}

static Slot
measure_inputs (GPtrArray *tensors)
{
  Slot slot = { 1, 1 };

  for (guint i = tensors->len; i > 0; i--)
    {
      const DynoShape *shape = dyno_tensor_get_shape (tensors->pdata[i - 1]);

      if (shape->rank > 0)
        slot.batch_size = shape->dims[0];
      if (shape->rank == 2)
        slot.sequence_length = shape->dims[1];
    }
  return slot;
}

static gboolean
dyno_fake_session_set_inputs (DynoSession *session, guint slot_index, GPtrArray *tensors, GError **error)
{
  DynoFakeSession *self = DYNO_FAKE_SESSION (session);

  g_return_val_if_fail (slot_index <= self->slots->len, FALSE);

  if (slot_index == self->slots->len)
    g_array_set_size (self->slots, slot_index + 1);
  g_array_index (self->slots, Slot, slot_index) = measure_inputs (tensors);
  return TRUE;
}

static gboolean
ensure_workspace (DynoFakeSession *self, gint64 batch_size, GError **error)
{
  gint64 size = self->script->workspace + self->script->workspace_per_item * batch_size;

  if (size <= self->workspace_size)
    return TRUE;
  if (!allocate (&self->workspace, size, error))
    return FALSE;
  self->workspace_size = size;
  return TRUE;
}

static gboolean
dyno_fake_session_run (DynoSession *session, GError **error)
{
  DynoFakeSession *self = (DynoFakeSession *)session;
  gint64 start_ns = read_clock ();
  const Slot *slot;

  if (self->slots->len == 0)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("No inputs were given."));
      return FALSE;
    }
  slot = &g_array_index (self->slots, Slot, self->next_slot);
  self->last_slot = self->next_slot;
  self->next_slot = (self->next_slot + 1) % self->slots->len;
  self->n_runs++;
  if (!play_faults (self, slot->batch_size, error) || !ensure_workspace (self, slot->batch_size, error))
    return FALSE;
  self->step_ns = compute_step_ns (self, slot);
  wait_until (take_slot (self, start_ns, self->step_ns));
  /* A profile skips the first run if there are others. */
  self->run_ns = (self->n_runs == 2 ? 0 : self->run_ns) + read_clock () - start_ns;
  return TRUE;
}

static DynoShape
resolve_shape (const DynoShape *scripted, const Slot *slot)
{
  DynoShape shape = *scripted;

  for (guint i = 0; i < shape.rank; i++)
    {
      if (shape.dims[i] == DYNO_FAKE_BATCH)
        shape.dims[i] = slot->batch_size;
      else if (shape.dims[i] == DYNO_FAKE_SEQUENCE)
        shape.dims[i] = slot->sequence_length;
    }
  return shape;
}

static void
fill_output (DynoFakeSession *self, DynoTensor *tensor, gint64 batch_size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (self->script->seed + self->last_slot);
  gsize n_numbers = dyno_tensor_get_size (tensor) / sizeof (float);
  float *numbers = dyno_tensor_get_data (tensor);

  for (gsize i = 0; i < n_numbers; i++)
    numbers[i] = g_rand_double_range (random, -1, 1);
  if (n_numbers > 0 && find_fault (self, DYNO_FAKE_FAULT_NOT_A_NUMBER, batch_size) != NULL)
    numbers[0] = NAN;
}

static GPtrArray *
dyno_fake_session_get_outputs (DynoSession *session, GError **error)
{
  DynoFakeSession *self = DYNO_FAKE_SESSION (session);
  GPtrArray *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; self->n_runs > 0 && i < self->script->outputs->len; i++)
    {
      const DynoFakeOutput *output = self->script->outputs->pdata[i];
      const Slot *slot = &g_array_index (self->slots, Slot, self->last_slot);
      DynoShape shape = resolve_shape (&output->shape, slot);
      DynoTensor *tensor = dyno_tensor_new (output->name, &shape);

      fill_output (self, tensor, slot->batch_size);
      g_ptr_array_add (tensors, tensor);
    }
  return tensors;
}

/* There is no cache to carry on. */
static gboolean
dyno_fake_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  return TRUE;
}

static gboolean
dyno_fake_session_hand_over (
    DynoSession *session, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  return TRUE;
}

static GArray *
resolve_shapes (GArray *scripted, const Slot *slot)
{
  GArray *shapes = g_array_sized_new (FALSE, FALSE, sizeof (DynoShape), scripted->len);

  for (guint i = 0; i < scripted->len; i++)
    {
      DynoShape shape = resolve_shape (&g_array_index (scripted, DynoShape, i), slot);

      g_array_append_val (shapes, shape);
    }
  return shapes;
}

static DynoNodeProfile *
create_node_profile (DynoFakeSession *self, const DynoFakeNode *node)
{
  const Slot *slot = &g_array_index (self->slots, Slot, self->last_slot);
  DynoNodeProfile *profile = g_new0 (DynoNodeProfile, 1);

  profile->name = g_strdup (node->name);
  profile->op_type = g_strdup (node->type);
  profile->provider = g_strdup (node->provider);
  profile->time_ns = node->share * self->run_ns;
  profile->calls = MAX (self->n_runs - 1, 1);
  profile->inputs = resolve_shapes (node->inputs, slot);
  profile->outputs = resolve_shapes (node->outputs, slot);
  return profile;
}

static GPtrArray *
dyno_fake_session_end_profile (DynoSession *session, GError **error)
{
  DynoFakeSession *self = DYNO_FAKE_SESSION (session);
  GPtrArray *profiles;

  if (!self->profiles)
    {
      dyno_session_set_not_recording (error);
      return NULL;
    }
  self->profiles = FALSE;
  profiles = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  for (guint i = 0; self->n_runs > 0 && i < self->script->nodes->len; i++)
    g_ptr_array_add (profiles, create_node_profile (self, self->script->nodes->pdata[i]));
  return profiles;
}

static gboolean
dyno_fake_session_get_allocator_stats (DynoSession *session, DynoAllocatorStats *stats)
{
  DynoFakeSession *self = DYNO_FAKE_SESSION (session);

  stats->in_use = self->script->weights + self->workspace_size;
  stats->held = stats->in_use * self->script->held_factor;
  stats->peak = stats->in_use;
  return TRUE;
}

static const char *
dyno_fake_session_get_provider (DynoSession *session)
{
  return PROVIDER;
}

static gboolean
dyno_fake_session_is_made_up (DynoSession *session)
{
  return !DYNO_FAKE_SESSION (session)->script->is_computed;
}

static DynoSession *
dyno_fake_session_open_lane (DynoSession *session, GError **error)
{
  DynoFakeSession *owner = DYNO_FAKE_SESSION (session);
  DynoFakeSession *self = g_object_new (DYNO_TYPE_FAKE_SESSION, NULL);

  self->owner = g_object_ref (owner);
  self->engine = owner->engine;
  self->script = owner->script;
  self->time_factor = owner->time_factor;
  memcpy (self->noise, owner->noise, sizeof self->noise);
  return DYNO_SESSION (self);
}

static void
dyno_fake_session_finalize (GObject *object)
{
  DynoFakeSession *self = DYNO_FAKE_SESSION (object);

  if (self->owner == NULL)
    {
      g_clear_pointer (&self->script, dyno_fake_script_free);
      g_mutex_clear (&self->engine->lock);
      g_clear_pointer (&self->engine, g_free);
    }
  g_clear_object (&self->owner);
  g_clear_pointer (&self->slots, g_array_unref);
  g_free (self->weights);
  g_free (self->workspace);

  G_OBJECT_CLASS (dyno_fake_session_parent_class)->finalize (object);
}

static void
dyno_fake_session_class_init (DynoFakeSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_fake_session_finalize;
  session_class->set_inputs = dyno_fake_session_set_inputs;
  session_class->run = dyno_fake_session_run;
  session_class->get_outputs = dyno_fake_session_get_outputs;
  session_class->carry = dyno_fake_session_carry;
  session_class->hand_over = dyno_fake_session_hand_over;
  session_class->end_profile = dyno_fake_session_end_profile;
  session_class->get_allocator_stats = dyno_fake_session_get_allocator_stats;
  session_class->get_provider = dyno_fake_session_get_provider;
  session_class->is_made_up = dyno_fake_session_is_made_up;
  session_class->open_lane = dyno_fake_session_open_lane;
}

static void
dyno_fake_session_init (DynoFakeSession *self)
{
  self->slots = g_array_new (FALSE, TRUE, sizeof (Slot));
}

/* Noise is log-normal, as latencies are: a step is seldom much faster, but may be much slower. */
static double
draw_factor (GRand *random, double noise)
{
  double radius = sqrt (-2 * log (1 - g_rand_double (random)));

  return exp (noise * radius * cos (2 * G_PI * g_rand_double (random)));
}

/* The steps of a process follow the script; differences between processes are drawn at random. */
static void
draw_noise (DynoFakeSession *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (self->script->seed);
  g_autoptr (GRand) chance = g_rand_new ();
  double of_process = draw_factor (chance, self->script->process_noise);

  for (guint i = 0; i < N_NOISE; i++)
    self->noise[i] = of_process * draw_factor (random, self->script->noise);
}

static gboolean
choose_device (DynoFakeSession *self, const char *id, GError **error)
{
  for (guint i = 0; i < self->script->devices->len; i++)
    {
      const DynoFakeDevice *device = self->script->devices->pdata[i];

      if (id == NULL || g_str_equal (device->id, id))
        {
          self->time_factor = device->time_factor;
          return TRUE;
        }
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The script has no device “%s”."), id);
  return FALSE;
}

static void
apply_options (DynoFakeSession *self, const DynoSessionOptions *options)
{
  const char *repeats = dyno_session_options_get (options, "repeats");

  if (g_strcmp0 (dyno_session_options_get (options, "haste"), "on") == 0)
    self->time_factor /= 2;
  if (repeats != NULL)
    self->time_factor *= MAX (g_ascii_strtoull (repeats, NULL, 10), 1);
}

/**
 * dyno_fake_session_new:
 * @script: (transfer full): what to play
 * @options: how to open the model
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a session
 */
DynoSession *
dyno_fake_session_new (DynoFakeScript *script, const DynoSessionOptions *options, GError **error)
{
  g_autoptr (DynoFakeSession) self = g_object_new (DYNO_TYPE_FAKE_SESSION, NULL);
  gint64 start_ns = read_clock ();

  self->script = script;
  self->engine = g_new0 (Engine, 1);
  self->engine->opened_ns = start_ns;
  g_mutex_init (&self->engine->lock);
  self->profiles = options->profile;
  if (!choose_device (self, options->device, error) || !play_faults (self, 0, error) ||
      !allocate (&self->weights, script->weights, error))
    return NULL;
  apply_options (self, options);
  draw_noise (self);
  wait_until (start_ns + script->load_ns);
  return DYNO_SESSION (g_steal_pointer (&self));
}

gint64
dyno_fake_session_get_step_ns (DynoFakeSession *self)
{
  return self->step_ns;
}
