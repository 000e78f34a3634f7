/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-error.h"
#include "dyno-worker-private.h"

/* The most attempts if requests fail one after another. */
#define MAX_ATTEMPTS 3

struct _DynoServedWorkload
{
  DynoWorkload parent_instance;

  guint prompt_tokens;
  guint max_tokens;
  DynoSession *session;
  DynoMeasurement *measurement; /* NULL while warming up */
  gboolean has_asked;

  /* The very first request, and those under load. */
  GPtrArray *taken;
  guint n_broken; /* failed under load, one after another */
};

G_DEFINE_FINAL_TYPE (DynoServedWorkload, dyno_served_workload, DYNO_TYPE_WORKLOAD)

static void
dyno_served_workload_finalize (GObject *object)
{
  g_clear_weak_pointer (&DYNO_SERVED_WORKLOAD (object)->session);
  g_ptr_array_unref (DYNO_SERVED_WORKLOAD (object)->taken);

  G_OBJECT_CLASS (dyno_served_workload_parent_class)->finalize (object);
}

static gboolean
dyno_served_workload_prepare (DynoWorkload *workload, DynoSession *session, GError **error)
{
  g_set_weak_pointer (&DYNO_SERVED_WORKLOAD (workload)->session, session);
  return TRUE;
}

/* Counts nothing while warming up. Takes the request and the problem. */
static void
count_failure (DynoMeasurement *measurement, DynoServed *served, GError *problem)
{
  if (measurement != NULL && served->chunks_ns->len > 0)
    g_ptr_array_add (measurement->broken, served);
  else
    dyno_served_free (served);
  if (measurement != NULL)
    {
      measurement->n_failed_requests++;
      g_free (measurement->last_failure);
      measurement->last_failure = g_strdup (problem->message);
    }
  g_error_free (problem);
}

/* A request that failed while measuring is counted, and another one is sent. */
static DynoServed *
ask (DynoServedWorkload *self, GError **error)
{
  for (guint i = 1;; i++)
    {
      g_autoptr (DynoServed) served = dyno_served_new ();
      GError *problem = NULL;

      if (dyno_session_serve (self->session, self->prompt_tokens, self->max_tokens, served, &problem))
        return g_steal_pointer (&served);
      if (i >= MAX_ATTEMPTS)
        {
          g_propagate_error (error, problem);
          return NULL;
        }
      count_failure (self->measurement, g_steal_pointer (&served), problem);
    }
}

/* Times from the request to the last piece of text; the server's counts after it are not included. */
static gboolean
dyno_served_workload_sample (DynoWorkload *workload, DynoSamples *samples, guint steps, GError **error)
{
  DynoServedWorkload *self = DYNO_SERVED_WORKLOAD (workload);
  gint64 start = 0, total = 0;

  for (guint i = 0; i < steps; i++)
    {
      g_autoptr (DynoServed) served = ask (self, error);

      if (served == NULL)
        return FALSE;
      start = i == 0 ? served->start_ns : start;
      total += dyno_served_get_last (served) - served->start_ns;
      if (self->measurement != NULL)
        g_ptr_array_add (self->measurement->served, g_steal_pointer (&served));
      else if (!self->has_asked)
        g_ptr_array_add (self->taken, g_steal_pointer (&served));
      self->has_asked = TRUE;
    }
  dyno_samples_record (samples, start, start + total);
  return TRUE;
}

/* Sends nothing again: that would be another load. */
static gboolean
dyno_served_workload_ask (DynoWorkload *workload, DynoRequest *request, GError **error)
{
  DynoServedWorkload *self = DYNO_SERVED_WORKLOAD (workload);
  DynoServed *served = dyno_served_new ();
  GError *problem = NULL;

  served->intended_ns = request->intended_ns;
  g_ptr_array_add (self->taken, served);
  if (dyno_session_serve (self->session, self->prompt_tokens, self->max_tokens, served, &problem))
    {
      self->n_broken = 0;
      request->first_ns = dyno_served_get_first (served);
      request->finished_ns = dyno_served_get_last (served);
      request->n_tokens = (guint)MAX (served->output_tokens, 0);
      return TRUE;
    }
  request->has_failed = TRUE;

  /* A server that rejects requests still answers; one that breaks off again and again does not work. */
  gboolean is_turned_away = g_error_matches (problem, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);

  self->n_broken = is_turned_away ? 0 : self->n_broken + 1;
  served->failure = g_strdup (problem->message);
  if (self->n_broken < MAX_ATTEMPTS)
    {
      g_error_free (problem);
      return TRUE;
    }
  g_propagate_error (error, problem);
  return FALSE;
}

static GPtrArray *
create_list (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_served_free);
}

static GPtrArray *
dyno_served_workload_take_served (DynoWorkload *workload)
{
  DynoServedWorkload *self = DYNO_SERVED_WORKLOAD (workload);
  GPtrArray *taken = self->taken;

  self->taken = create_list ();
  return taken;
}

static void
dyno_served_workload_reserve (DynoWorkload *workload, gsize n_samples, DynoMeasurement *measurement)
{
  g_clear_pointer (&measurement->served, g_ptr_array_unref);
  g_clear_pointer (&measurement->broken, g_ptr_array_unref);
  measurement->served = create_list ();
  measurement->broken = create_list ();
  measurement->n_failed_requests = 0;
  DYNO_SERVED_WORKLOAD (workload)->measurement = measurement;
}

static void
dyno_served_workload_class_init (DynoServedWorkloadClass *klass)
{
  DynoWorkloadClass *workload_class = DYNO_WORKLOAD_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_served_workload_finalize;

  workload_class->prepare = dyno_served_workload_prepare;
  workload_class->prepare_same = dyno_served_workload_prepare;
  workload_class->sample = dyno_served_workload_sample;
  workload_class->ask = dyno_served_workload_ask;
  workload_class->take_served = dyno_served_workload_take_served;
  workload_class->reserve = dyno_served_workload_reserve;
}

static void
dyno_served_workload_init (DynoServedWorkload *self)
{
  self->taken = create_list ();
}

DynoWorkload *
dyno_served_workload_new (DynoCase *kase)
{
  DynoServedWorkload *self = g_object_new (DYNO_TYPE_SERVED_WORKLOAD, NULL);

  self->prompt_tokens = MAX (dyno_case_get_sequence_length (kase), 1);
  self->max_tokens = MAX (dyno_case_get_generate_tokens (kase), 1);
  return DYNO_WORKLOAD (self);
}
