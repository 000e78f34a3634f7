/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-backends-base-private.h"
#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-manifest.h"

/* Tensors that an earlier stage hands over. */
typedef struct
{
  guint from;
  gboolean is_copied; /* through the host, because the stages are on different devices */
  GPtrArray *names;   /* NULL at the end */
} Feed;

/* An output that becomes an input of the next run. */
typedef struct
{
  char *output;
  const char *input;
} Carried;

typedef struct
{
  const DynoManifestStage *plan;
  const DynoStageOptions *own; /* (nullable): only while it is opened */
  DynoSession *session;
  DynoStageClock *clock;
  GArray *feeds;   /* of Feed */
  GArray *carried; /* of Carried */
  gboolean repeats;
  gboolean has_own_clock;
  gboolean has_run; /* in the last step */
  guint n_runs;
} Stage;

/* The last inputs: which stages will run, and for repeating stages the inputs of each run. */
typedef struct
{
  gboolean *is_due;
  GPtrArray **parts; /* of GPtrArray of DynoTensor */
} Slot;

struct _DynoStagedSession
{
  DynoSession parent_instance;

  /* Read by each run. */
  Stage *stages;
  guint n_stages;
  Slot *slots;
  guint n_slots;
  guint next_slot;
  gboolean is_uneven;

  char *path;
  DynoManifest *manifest;
  DynoStageClock *clocks;
  guint n_steps;
  guint usual; /* the first stage that is opened as the model is, or else the first */
};

G_DEFINE_FINAL_TYPE (DynoStagedSession, dyno_staged_session, DYNO_TYPE_SESSION)

static void
clear_feed (gpointer data)
{
  g_ptr_array_unref (((Feed *)data)->names);
}

static void
clear_carried (gpointer data)
{
  g_free (((Carried *)data)->output);
}

static void
dyno_staged_session_finalize (GObject *object)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (object);

  /* Handed-over tensors may belong to the session that made them, so later stages are freed first. */
  for (guint i = self->n_stages; i > 0; i--)
    {
      Stage *stage = &self->stages[i - 1];

      g_clear_object (&stage->session);
      g_clear_pointer (&stage->feeds, g_array_unref);
      g_clear_pointer (&stage->carried, g_array_unref);
    }
  for (guint i = 0; i < self->n_slots; i++)
    {
      for (guint k = 0; k < self->n_stages; k++)
        g_clear_pointer (&self->slots[i].parts[k], g_ptr_array_unref);
      g_free (self->slots[i].parts);
      g_free (self->slots[i].is_due);
    }
  g_free (self->stages);
  g_free (self->slots);
  g_free (self->clocks);
  g_clear_pointer (&self->manifest, dyno_manifest_free);
  g_free (self->path);

  G_OBJECT_CLASS (dyno_staged_session_parent_class)->finalize (object);
}

/* People know the name of the model, but not the files of its stages. */
static gboolean
name_stage (DynoStagedSession *self, const DynoManifestStage *plan, GError *local_error, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s (%s)", self->path, plan->name);
  g_auto (GStrv) parts = NULL;

  if (local_error == NULL)
    return TRUE;
  parts = g_strsplit (local_error->message, plan->file, -1);
  g_free (local_error->message);
  local_error->message = g_strjoinv (name, parts);
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
takes (const Stage *stage, const char *name)
{
  for (guint i = 0; i < stage->plan->inputs->len; i++)
    {
      const DynoManifestInput *input = stage->plan->inputs->pdata[i];

      if (input->feeder < 0 && g_str_equal (input->name, name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
check_name (DynoStagedSession *self, const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < self->n_stages; i++)
    if (takes (&self->stages[i], name))
      return TRUE;
  for (guint i = 0; i < self->n_stages; i++)
    for (guint k = 0; k < self->stages[i].plan->inputs->len; k++)
      {
        const DynoManifestInput *input = self->stages[i].plan->inputs->pdata[k];

        if (input->feeder < 0)
          g_string_append_printf (known, "%s“%s”", known->len > 0 ? ", " : "", input->name);
      }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” has no input “%s”. Its inputs are: %s."), self->path, name, known->str);
  return FALSE;
}

static GPtrArray *
new_tensors (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
}

static int
find_axis (const Stage *stage, DynoTensor *tensor)
{
  for (guint i = 0; i < stage->plan->inputs->len; i++)
    {
      const DynoManifestInput *input = stage->plan->inputs->pdata[i];

      if (g_str_equal (input->name, dyno_tensor_get_name (tensor)))
        return input->axis;
    }
  return -1;
}

/* Returns the part of a tensor with that index in a dimension, which remains with size 1. */
static DynoTensor *
cut (DynoTensor *tensor, guint axis, gint64 index)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  DynoShape part = *shape;
  gint64 n_rows = 1;
  gsize size = dyno_data_type_get_size (shape->type);
  DynoTensor *result;

  part.dims[axis] = 1;
  for (guint i = 0; i < axis; i++)
    n_rows *= shape->dims[i];
  for (guint i = axis + 1; i < shape->rank; i++)
    size *= (gsize)shape->dims[i];
  result = dyno_tensor_new (dyno_tensor_get_name (tensor), &part);
  for (gint64 row = 0; row < n_rows; row++)
    memcpy ((char *)dyno_tensor_get_data (result) + (gsize)row * size,
            (char *)dyno_tensor_get_data (tensor) + (gsize)(row * shape->dims[axis] + index) * size, size);
  return result;
}

static gboolean
fail_to_cut (DynoStagedSession *self, const Stage *stage, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The stage “%s” of “%s” runs once for each part of its inputs, but these do not have the "
                  "same number of parts."),
               stage->plan->name, self->path);
  return FALSE;
}

/* Returns how often the stage will run; 0 if its inputs disagree. */
static gint64
count_times (const Stage *stage, GPtrArray *tensors)
{
  gint64 n_times = -1;

  for (guint i = 0; i < tensors->len; i++)
    {
      const DynoShape *shape = dyno_tensor_get_shape (tensors->pdata[i]);
      int axis = find_axis (stage, tensors->pdata[i]);

      if (axis < 0)
        continue;
      if ((guint)axis >= shape->rank || (n_times >= 0 && shape->dims[axis] != n_times))
        return 0;
      n_times = shape->dims[axis];
    }
  return n_times;
}

static GPtrArray *
list_parts (const Stage *stage, GPtrArray *tensors, gint64 time)
{
  GPtrArray *part = new_tensors ();

  for (guint i = 0; i < tensors->len; i++)
    {
      int axis = find_axis (stage, tensors->pdata[i]);

      if (axis >= 0)
        g_ptr_array_add (part, cut (tensors->pdata[i], (guint)axis, time));
      else if (time == 0)
        g_ptr_array_add (part, dyno_tensor_ref (tensors->pdata[i]));
    }
  return part;
}

/* Each stage's session has a slot for each of ours, whether it needs values there or not. */
static gboolean
set_stage (DynoStagedSession *self,
           guint index,
           guint slot_index,
           gboolean is_new,
           GPtrArray *tensors,
           GError **error)
{
  Stage *stage = &self->stages[index];
  Slot *slot = &self->slots[slot_index];
  g_autoptr (GPtrArray) own = new_tensors ();
  GError *local_error = NULL;

  for (guint i = 0; i < tensors->len; i++)
    if (takes (stage, dyno_tensor_get_name (tensors->pdata[i])))
      g_ptr_array_add (own, dyno_tensor_ref (tensors->pdata[i]));
  slot->is_due[index] = own->len > 0;
  for (guint i = 0; i < stage->feeds->len; i++)
    slot->is_due[index] |= slot->is_due[g_array_index (stage->feeds, Feed, i).from];
  if (own->len == 0 && (!is_new || stage->repeats))
    return TRUE;
  if (stage->repeats)
    {
      GPtrArray **parts = &slot->parts[index];
      gint64 n_times = count_times (stage, own);

      if (n_times < 1)
        return fail_to_cut (self, stage, error);
      g_clear_pointer (parts, g_ptr_array_unref);
      *parts = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
      stage->clock->n_times = n_times;
      for (gint64 time = 0; time < n_times; time++)
        g_ptr_array_add (*parts, list_parts (stage, own, time));
      return TRUE;
    }
  dyno_session_set_inputs (stage->session, slot_index, own, &local_error);
  return name_stage (self, stage->plan, local_error, error);
}

static gboolean
dyno_staged_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  gboolean is_new = slot == self->n_slots;

  g_return_val_if_fail (slot <= self->n_slots, FALSE);

  for (guint i = 0; i < tensors->len; i++)
    if (!check_name (self, dyno_tensor_get_name (tensors->pdata[i]), error))
      return FALSE;
  if (is_new)
    {
      self->slots = g_renew (Slot, self->slots, ++self->n_slots);
      self->slots[slot].is_due = g_new0 (gboolean, self->n_stages);
      self->slots[slot].parts = g_new0 (GPtrArray *, self->n_stages);
    }
  for (guint i = 0; i < self->n_stages; i++)
    if (!set_stage (self, i, slot, is_new, tensors, error))
      return FALSE;

  /* Sessions take their slots in turn, and would get out of step otherwise. */
  self->is_uneven = FALSE;
  for (guint i = 1; i < self->n_slots; i++)
    if (memcmp (self->slots[i].is_due, self->slots[0].is_due, self->n_stages * sizeof (gboolean)) != 0)
      self->is_uneven = TRUE;
  return TRUE;
}

/* The timed part of a stage. */
static gboolean
run_once (Stage *stage, GError **error)
{
  gint64 start, elapsed = 0;
  gboolean is_good;

  stage->n_runs++;
  if (stage->has_own_clock)
    is_good = dyno_session_run_timed (stage->session, 1, &elapsed, error);
  else
    {
      start = dyno_clock_now_ns ();
      is_good = dyno_session_run (stage->session, error);
      elapsed = dyno_clock_now_ns () - start;
    }
  stage->clock->elapsed_ns += elapsed;
  return is_good;
}

static gboolean
copy_over (const Stage *from, const Feed *feed, Stage *stage, guint slot, GError **error)
{
  gint64 start = dyno_clock_now_ns ();
  gboolean is_good = dyno_session_copy_over (from->session, (const char *const *)feed->names->pdata,
                                             stage->session, slot, error);

  stage->clock->handed_ns += dyno_clock_now_ns () - start;
  return is_good;
}

static gboolean
hand_over (DynoStagedSession *self, Stage *stage, guint slot, GError **error)
{
  for (guint i = 0; i < stage->feeds->len; i++)
    {
      const Feed *feed = &g_array_index (stage->feeds, Feed, i);
      Stage *from = &self->stages[feed->from];
      guint of_taker = stage->repeats ? 0 : slot;

      if (from->has_run &&
          !(feed->is_copied ? copy_over (from, feed, stage, of_taker, error)
                            : dyno_session_hand_over (from->session, (const char *const *)feed->names->pdata,
                                                      stage->session, of_taker, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
carry_on (Stage *stage, GError **error)
{
  for (guint i = 0; i < stage->carried->len; i++)
    {
      const Carried *carried = &g_array_index (stage->carried, Carried, i);

      if (!dyno_session_carry (stage->session, carried->output, carried->input, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_again_and_again (DynoStagedSession *self, Stage *stage, guint slot, GPtrArray *parts, GError **error)
{
  if (G_UNLIKELY (parts == NULL))
    return fail_to_cut (self, stage, error);
  for (guint i = 0; i < parts->len; i++)
    {
      if ((i > 0 && !carry_on (stage, error)) ||
          !dyno_session_set_inputs (stage->session, 0, parts->pdata[i], error) ||
          (i == 0 && !hand_over (self, stage, slot, error)) || !run_once (stage, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_stage (DynoStagedSession *self, guint index, guint slot, GError **error)
{
  Stage *stage = &self->stages[index];
  GError *local_error = NULL;

  if (stage->repeats)
    run_again_and_again (self, stage, slot, self->slots[slot].parts[index], &local_error);
  else if (hand_over (self, stage, slot, &local_error))
    run_once (stage, &local_error);
  return G_LIKELY (local_error == NULL) || name_stage (self, stage->plan, local_error, error);
}

/* The timed region. */
static gboolean
dyno_staged_session_run (DynoSession *session, GError **error)
{
  DynoStagedSession *self = (DynoStagedSession *)session;
  guint slot = self->next_slot;

  if (G_UNLIKELY (self->n_slots == 0 || self->is_uneven))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   self->n_slots == 0
                       ? _ ("The inputs of “%s” were given no values.")
                       : _ ("Of “%s”, other stages are to run with some inputs than with others."),
                   self->path);
      return FALSE;
    }
  self->n_steps++;
  for (guint i = 0; i < self->n_stages; i++)
    {
      self->stages[i].has_run = self->slots[slot].is_due[i];
      if (self->stages[i].has_run && !run_stage (self, i, slot, error))
        return FALSE;
    }
  if (++self->next_slot == self->n_slots)
    self->next_slot = 0;
  return TRUE;
}

static gint64
sum_clocks (DynoStagedSession *self)
{
  gint64 sum = 0;

  for (guint i = 0; i < self->n_stages; i++)
    sum += self->clocks[i].elapsed_ns;
  return sum;
}

/* Excludes the time between the stages and the connection to the engine. */
static gboolean
dyno_staged_session_run_timed (DynoSession *session, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  gint64 before = sum_clocks (self);

  for (guint i = 0; i < n_steps; i++)
    if (!dyno_staged_session_run (session, error))
      return FALSE;
  *elapsed_ns = sum_clocks (self) - before;
  return TRUE;
}

static gboolean
dyno_staged_session_has_own_clock (DynoSession *session)
{
  return DYNO_STAGED_SESSION (session)->stages[0].has_own_clock;
}

/* Each stage is timed separately. */
static double
dyno_staged_session_get_clock_resolution_ns (DynoSession *session)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  double sum = 0;

  for (guint i = 0; i < self->n_stages; i++)
    sum += dyno_session_get_clock_resolution_ns (self->stages[i].session);
  return sum;
}

/* Returns the outputs of the stages that ran in the last step. */
static GPtrArray *
dyno_staged_session_get_outputs (DynoSession *session, GError **error)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  g_autoptr (GPtrArray) tensors = new_tensors ();

  for (guint i = 0; i < self->n_stages; i++)
    {
      g_autoptr (GPtrArray) outputs = NULL;

      if (!self->stages[i].has_run)
        continue;
      outputs = dyno_session_get_outputs (self->stages[i].session, error);
      if (outputs == NULL)
        return NULL;
      for (guint k = 0; k < outputs->len; k++)
        if (!dyno_manifest_is_taken (self->manifest, i, dyno_tensor_get_name (outputs->pdata[k])))
          g_ptr_array_add (tensors, dyno_tensor_ref (outputs->pdata[k]));
    }
  return g_steal_pointer (&tensors);
}

static gboolean
dyno_staged_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);

  for (guint i = 0; i < self->n_stages; i++)
    if (takes (&self->stages[i], input))
      return dyno_session_carry (self->stages[i].session, output, input, error);
  return check_name (self, input, error);
}

/* Covers the stages of the last step: a step over a prompt may have run others before. */
static GPtrArray *
dyno_staged_session_end_profile (DynoSession *session, GError **error)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);

  for (guint i = 0; i < self->n_stages; i++)
    {
      const Stage *stage = &self->stages[i];
      g_autoptr (GPtrArray) nodes = NULL;
      g_autofree gpointer *stolen = NULL;
      gint64 n_recorded, n_wanted;
      gsize n = 0;

      if (!stage->has_run)
        continue;
      nodes = dyno_session_end_profile (stage->session, error);
      if (nodes == NULL)
        return NULL;
      /* A profile leaves out the first run if there are others; for a repeating stage that is less than a step. */
      n_recorded = MAX (stage->n_runs, 2) - 1;
      n_wanted = (gint64)stage->n_runs * (MAX (self->n_steps, 2) - 1) / self->n_steps;
      stolen = g_ptr_array_steal (nodes, &n);
      for (gsize k = 0; k < n; k++)
        {
          DynoNodeProfile *node = stolen[k];
          g_autofree char *name = node->name;

          node->name = dyno_manifest_stage_dup_node_name (stage->plan, name);
          if (stage->repeats)
            node->calls = node->calls * n_wanted / n_recorded;
          if (stage->repeats && node->time_ns > 0)
            node->time_ns = (gint64)((double)node->time_ns * (double)n_wanted / (double)n_recorded);
          g_ptr_array_add (all, node);
        }
    }
  return g_steal_pointer (&all);
}

static gboolean
dyno_staged_session_get_allocator_stats (DynoSession *session, DynoAllocatorStats *stats)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  DynoAllocatorStats sum = { 0 };

  for (guint i = 0; i < self->n_stages; i++)
    {
      DynoAllocatorStats own;

      if (!dyno_session_get_allocator_stats (self->stages[i].session, &own))
        return FALSE;
      sum.in_use += own.in_use;
      sum.held += own.held;
      sum.peak += own.peak;
    }
  *stats = sum;
  return TRUE;
}

/* The session of each stage is beside its clock. */
static const char *
dyno_staged_session_get_provider (DynoSession *session)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);

  return dyno_session_get_provider (self->stages[self->usual].session);
}

static GHashTable *
dyno_staged_session_read_settings (DynoSession *session)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);

  return dyno_session_read_settings (self->stages[self->usual].session);
}

static gboolean
dyno_staged_session_is_made_up (DynoSession *session)
{
  return dyno_session_is_made_up (DYNO_STAGED_SESSION (session)->stages[0].session);
}

static void
add_load_stage (GArray *sum, const DynoLoadStage *part)
{
  for (guint i = 0; i < sum->len; i++)
    {
      DynoLoadStage *stage = &g_array_index (sum, DynoLoadStage, i);

      if (!g_str_equal (stage->name, part->name))
        continue;
      stage->duration_ns += part->duration_ns;
      return;
    }
  dyno_load_stages_add (sum, part->name, part->duration_ns);
}

static GArray *
dyno_staged_session_get_load_stages (DynoSession *session)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  g_autoptr (GArray) sum = dyno_load_stages_new ();

  for (guint i = 0; i < self->n_stages; i++)
    {
      g_autoptr (GArray) parts = dyno_session_get_load_stages (self->stages[i].session);

      for (guint k = 0; parts != NULL && k < parts->len; k++)
        add_load_stage (sum, &g_array_index (parts, DynoLoadStage, k));
    }
  return sum->len > 0 ? g_steal_pointer (&sum) : NULL;
}

/* May be called while another thread waits for a step. */
static GArray *
dyno_staged_session_get_processes (DynoSession *session)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  GArray *all = NULL;

  for (guint i = 0; i < self->n_stages; i++)
    {
      g_autoptr (GArray) processes = dyno_session_get_processes (self->stages[i].session);

      if (processes == NULL)
        continue;
      if (all == NULL)
        all = g_array_new (FALSE, FALSE, sizeof (GPid));
      g_array_append_vals (all, processes->data, processes->len);
    }
  return all;
}

static gboolean
dyno_staged_session_get_transfer_times (DynoSession *session, DynoTransferTimes *times)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);
  DynoTransferTimes sum = { 0 };
  gboolean is_told = FALSE;

  for (guint i = 0; i < self->n_stages; i++)
    {
      DynoTransferTimes own;

      if (!dyno_session_get_transfer_times (self->stages[i].session, &own))
        continue;
      sum.to_device_ns += own.to_device_ns;
      sum.from_device_ns += own.from_device_ns;
      is_told = TRUE;
    }
  if (is_told)
    *times = sum;
  return is_told;
}

static const DynoStageClock *
dyno_staged_session_get_stage_clocks (DynoSession *session, guint *n_stages)
{
  DynoStagedSession *self = DYNO_STAGED_SESSION (session);

  *n_stages = self->n_stages;
  return self->clocks;
}

static void
dyno_staged_session_class_init (DynoStagedSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_staged_session_finalize;
  session_class->set_inputs = dyno_staged_session_set_inputs;
  session_class->run = dyno_staged_session_run;
  session_class->run_timed = dyno_staged_session_run_timed;
  session_class->has_own_clock = dyno_staged_session_has_own_clock;
  session_class->get_clock_resolution_ns = dyno_staged_session_get_clock_resolution_ns;
  session_class->get_outputs = dyno_staged_session_get_outputs;
  session_class->carry = dyno_staged_session_carry;
  session_class->end_profile = dyno_staged_session_end_profile;
  session_class->get_allocator_stats = dyno_staged_session_get_allocator_stats;
  session_class->get_provider = dyno_staged_session_get_provider;
  session_class->read_settings = dyno_staged_session_read_settings;
  session_class->is_made_up = dyno_staged_session_is_made_up;
  session_class->get_load_stages = dyno_staged_session_get_load_stages;
  session_class->get_processes = dyno_staged_session_get_processes;
  session_class->get_transfer_times = dyno_staged_session_get_transfer_times;
  session_class->get_stage_clocks = dyno_staged_session_get_stage_clocks;
}

static void
dyno_staged_session_init (DynoStagedSession *self)
{
}

static Feed *
find_feed (Stage *stage, guint from)
{
  Feed feed = { from, FALSE, NULL };

  for (guint i = 0; i < stage->feeds->len; i++)
    if (g_array_index (stage->feeds, Feed, i).from == from)
      return &g_array_index (stage->feeds, Feed, i);
  feed.names = g_ptr_array_new ();
  g_ptr_array_add (feed.names, NULL);
  g_array_append_val (stage->feeds, feed);
  return &g_array_index (stage->feeds, Feed, stage->feeds->len - 1);
}

static void
stage_init (Stage *stage, const DynoManifestStage *plan, DynoStageClock *clock)
{
  stage->plan = plan;
  stage->clock = clock;
  clock->name = plan->name;
  clock->n_times = 1;
  stage->repeats = dyno_manifest_stage_repeats (plan);
  stage->feeds = g_array_new (FALSE, FALSE, sizeof (Feed));
  g_array_set_clear_func (stage->feeds, clear_feed);
  stage->carried = g_array_new (FALSE, FALSE, sizeof (Carried));
  g_array_set_clear_func (stage->carried, clear_carried);
  for (guint i = 0; i < plan->inputs->len; i++)
    {
      const DynoManifestInput *input = plan->inputs->pdata[i];
      Carried carried = { dyno_manifest_stage_dup_carried (plan, input->name), input->name };

      if (carried.output != NULL)
        g_array_append_val (stage->carried, carried);
      if (input->feeder >= 0)
        {
          GPtrArray *names = find_feed (stage, (guint)input->feeder)->names;

          g_ptr_array_insert (names, (gint)names->len - 1, input->name);
        }
    }
}

/* Returns the backend in place of that of the model, ready to open the stage. */
static DynoBackend *
start_other (const DynoStageOptions *own, GError **error)
{
  DynoBackend *other = dyno_backend_lookup (own->backend, error);

  if (other == NULL || !dyno_backend_start (other, error))
    return NULL;
  if (dyno_backend_get_format (other) == DYNO_MODEL_FORMAT_ONNX)
    return other;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The backend “%s” opens no ONNX files, and the stage “%s” is one."), own->backend,
               own->name);
  return NULL;
}

/* The bytes replace one stage's file only. */
static gboolean
open_stage (DynoStagedSession *self,
            Stage *stage,
            const DynoSessionOptions *options,
            DynoStagedOpen open,
            gpointer backend,
            GError **error)
{
  DynoSessionOptions own = *options;
  DynoBackend *other = NULL;
  GError *local_error = NULL;
  guint n_requests;

  if (g_strcmp0 (own.bytes_path, stage->plan->file) != 0)
    own.bytes = NULL;
  if (stage->own != NULL)
    {
      own.precision = stage->own->precision;
      own.threads = stage->own->threads;
      own.engine = stage->own->engine;
      if (stage->own->backend != NULL || stage->own->device != NULL)
        own.device = stage->own->device;
      if (stage->own->backend != NULL && (other = start_other (stage->own, error)) == NULL)
        return FALSE;
    }
  stage->clock->opened_ns[0] = dyno_clock_now_ns ();
  stage->session = other != NULL ? dyno_backend_open (other, stage->plan->file, &own, &local_error)
                                 : open (backend, stage->plan->file, &own, &local_error);
  stage->clock->opened_ns[1] = dyno_clock_now_ns ();
  if (stage->session == NULL)
    return name_stage (self, stage->plan, local_error, error);
  stage->has_own_clock = dyno_session_has_own_clock (stage->session);
  stage->clock->session = stage->session;
  n_requests = dyno_session_get_requests (stage->session);
  if (n_requests == 1)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The stages of “%s” hand over to each other one request at a time, but the case has %u "
                  "requests. Choose one request."),
               self->path, n_requests);
  return FALSE;
}

/* A stage elsewhere takes copies, and so do those that it feeds. */
static void
choose_places (DynoStagedSession *self, GPtrArray *options)
{
  for (guint i = 0; i < self->n_stages; i++)
    {
      Stage *stage = &self->stages[i];

      for (guint k = 0; options != NULL && k < options->len; k++)
        if (g_str_equal (((DynoStageOptions *)options->pdata[k])->name, stage->plan->name))
          stage->own = options->pdata[k];
      for (guint k = 0; k < stage->feeds->len; k++)
        {
          Feed *feed = &g_array_index (stage->feeds, Feed, k);
          const DynoStageOptions *of_giver = self->stages[feed->from].own;

          feed->is_copied = g_strcmp0 (of_giver != NULL ? of_giver->backend : NULL,
                                       stage->own != NULL ? stage->own->backend : NULL) != 0 ||
                            g_strcmp0 (of_giver != NULL ? of_giver->device : NULL,
                                       stage->own != NULL ? stage->own->device : NULL) != 0;
          stage->clock->is_handed |= feed->is_copied;
        }
    }
  while (self->usual < self->n_stages && self->stages[self->usual].own != NULL)
    self->usual++;
  self->usual %= self->n_stages;
}

DynoSession *
dyno_staged_session_new (const char *manifest_path,
                         const DynoSessionOptions *options,
                         DynoStagedOpen open,
                         gpointer backend,
                         GError **error)
{
  g_autoptr (DynoStagedSession) self = g_object_new (DYNO_TYPE_STAGED_SESSION, NULL);

  self->path = g_strdup (manifest_path);
  self->manifest = dyno_manifest_read (manifest_path, error);
  if (self->manifest == NULL)
    return NULL;
  self->n_stages = self->manifest->stages->len;
  self->stages = g_new0 (Stage, self->n_stages);
  self->clocks = g_new0 (DynoStageClock, self->n_stages);
  for (guint i = 0; i < self->n_stages; i++)
    stage_init (&self->stages[i], self->manifest->stages->pdata[i], &self->clocks[i]);
  choose_places (self, options->stages);
  /* The engine of the model is the first that opens its library, which names the engine of the case. */
  for (guint i = 0; i < 2 * self->n_stages; i++)
    {
      Stage *stage = &self->stages[i % self->n_stages];
      gboolean is_elsewhere = stage->own != NULL && stage->own->backend != NULL;

      if (is_elsewhere == (i >= self->n_stages) && !open_stage (self, stage, options, open, backend, error))
        return NULL;
    }

  /* A step whose time is the sum of some clocks, and of all others not, would have no time. */
  for (guint i = 1; i < self->n_stages; i++)
    if (self->stages[i].has_own_clock != self->stages[0].has_own_clock)
      {
        g_set_error (
            error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
            _ ("The stages “%s” and “%s” of “%s” are on engines of which one has a clock of its own, so a "
               "step of both cannot be timed. Choose another device for one of them."),
            self->clocks[0].name, self->clocks[i].name, self->path);
        return NULL;
      }
  return DYNO_SESSION (g_steal_pointer (&self));
}
