/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-pinning.h"
#include "dyno-worker-private.h"

#define NS_PER_SECOND 1000000000

/* Enough time for all clients to be waiting. */
#define BEGIN_NS (5 * 1000000)

/* The kernel wakes a sleeper late, so the last part of the wait is a busy one. Long sleeps are split,
 * because the two clocks drift apart. */
#define SPIN_NS      100000
#define SLICE_NS     100000
#define MAX_SLEEP_NS (100 * 1000000)
#define LOOK_US      20000

/* With less time between requests on average, the thread that sends them would keep its core busy. */
#define LEAST_GAP_NS (4 * SPIN_NS)

/* The least time that a server gets to answer after the last request was sent. */
#define LEAST_DRAIN_NS ((gint64)NS_PER_SECOND)

/* The state that the threads of one load share. */
typedef struct
{
  const DynoLoadDrive *drive;
  gint64 begin_ns;            /* for a rate: when its time begins */
  gint64 end_ns;              /* when to send the last request */
  _Atomic gint64 all_sent_ns; /* when the last request was sent, 0 before */
  sem_t sent;                 /* one for each request that no client has taken yet */
  pthread_barrier_t barrier;
  atomic_size_t n_taken;
  atomic_size_t n_answered;
  atomic_size_t n_finished; /* including failed ones */
  atomic_bool stops;
  atomic_uint n_running;

  /* The current round, at the end of which all clients wait for each other. */
  gint64 *starts;
  gint64 *ends; /* 0 if the load cannot go on */
  atomic_bool has_round_failed;
  gboolean is_last_round;

  GMutex lock;
  GCond over;
  GError *error;
} Shared;

typedef struct
{
  Shared *shared;
  guint number;
} Client;

static void
stop (Shared *self)
{
  atomic_store (&self->stops, TRUE);
  for (guint i = 0; i < self->drive->n_clients; i++)
    sem_post (&self->sent);
}

/* Returns when the request was answered or failed, 0 if the load cannot go on. Other threads read the
 * request meanwhile. */
static gint64
serve (Shared *self, guint client, DynoRequest *request)
{
  DynoRequest answer = { .intended_ns = request->intended_ns };
  GError *error = NULL;

  if (self->drive->serve (self->drive->clients[client], &answer, &error))
    {
      request->has_failed = answer.has_failed;
      request->first_ns = answer.first_ns;
      request->n_tokens = answer.n_tokens;
      return answer.finished_ns > 0 ? answer.finished_ns : dyno_clock_now_ns ();
    }
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  stop (self);
  g_mutex_unlock (&self->lock);
  return 0;
}

static void
write_answer (Shared *self, DynoRequest *request, gint64 finished_ns)
{
  gboolean is_answered = !request->has_failed;

  __atomic_store_n (&request->finished_ns, finished_ns, __ATOMIC_RELEASE);
  if (is_answered)
    atomic_fetch_add (&self->n_answered, 1);
}

/* Sends a request as soon as the last answer came; the time in between is its lateness. */
static void
loop (Shared *self, guint number)
{
  DynoRequests *requests = self->drive->requests;
  gint64 ready = dyno_clock_now_ns ();

  while (!atomic_load_explicit (&self->stops, memory_order_relaxed))
    {
      gsize i = atomic_fetch_add (&self->n_taken, 1);
      DynoRequest *request = &requests->data[i];
      gint64 finished;

      if (i >= requests->capacity)
        return;
      request->client = number;
      request->intended_ns = ready;
      request->started_ns = request->pushed_ns = dyno_clock_now_ns ();
      finished = serve (self, number, request);
      if (finished == 0)
        return;
      write_answer (self, request, finished);
      ready = finished;
    }
}

/* Serves the requests in the order in which they were sent. */
static void
work_off (Shared *self, guint number)
{
  DynoRequests *requests = self->drive->requests;

  for (;;)
    {
      DynoRequest *request;
      gint64 finished;
      gsize i;

      while (sem_wait (&self->sent) != 0)
        ;
      if (atomic_load_explicit (&self->stops, memory_order_relaxed))
        return;
      i = atomic_fetch_add (&self->n_taken, 1);
      request = &requests->data[i];
      request->client = number;
      request->started_ns = dyno_clock_now_ns ();
      finished = serve (self, number, request);
      if (finished == 0)
        return;
      write_answer (self, request, finished);
      if (atomic_fetch_add (&self->n_finished, 1) + 1 == requests->capacity)
        stop (self);
    }
}

/* A round is one request: from the start of its first part to the last answer. */
static void
write_round (Shared *self)
{
  DynoRequests *requests = self->drive->requests;
  gsize i = atomic_load (&self->n_taken);
  gint64 start = self->starts[0], end = self->ends[0];

  for (guint k = 1; k < self->drive->n_clients; k++)
    {
      start = MIN (start, self->starts[k]);
      end = MAX (end, self->ends[k]);
    }
  requests->data[i] = (DynoRequest){ .intended_ns = start, .pushed_ns = start, .started_ns = start };
  requests->data[i].has_failed = self->has_round_failed;
  self->has_round_failed = FALSE;
  __atomic_store_n (&requests->data[i].finished_ns, end, __ATOMIC_RELEASE);
  atomic_store (&self->n_taken, i + 1);
  atomic_store (&self->n_answered, i + 1);
  self->is_last_round = i + 1 == requests->capacity || atomic_load (&self->stops);
}

/* A client that fails still waits at the barrier, because the others wait for it. */
static void
go_round (Shared *self, guint number)
{
  gboolean is_good = TRUE;

  while (!self->is_last_round)
    {
      DynoRequest request = { 0 };

      pthread_barrier_wait (&self->barrier);
      self->starts[number] = request.intended_ns = dyno_clock_now_ns ();
      self->ends[number] = is_good ? serve (self, number, &request) : 0;
      is_good = self->ends[number] > 0;
      if (request.has_failed)
        atomic_store (&self->has_round_failed, TRUE);
      if (pthread_barrier_wait (&self->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        write_round (self);
      pthread_barrier_wait (&self->barrier);
    }
}

static gpointer
run_client (gpointer data)
{
  const Client *client = data;
  Shared *self = client->shared;

  if (self->drive->shape == DYNO_LOAD_MULTI)
    go_round (self, client->number);
  else if (self->drive->shape == DYNO_LOAD_CONCURRENT)
    loop (self, client->number);
  else
    work_off (self, client->number);
  if (atomic_fetch_sub (&self->n_running, 1) == 1)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

      g_cond_signal (&self->over);
    }
  return NULL;
}

/* The clock of all measurements cannot be used for sleeping, so the deadline is converted to one that can. */
static void
sleep_until (gint64 deadline_ns)
{
  gint64 left;

  while ((left = deadline_ns - SPIN_NS - dyno_clock_now_ns ()) > 0)
    {
      struct timespec until;

      left = MIN (left, MAX_SLEEP_NS);
      clock_gettime (CLOCK_MONOTONIC, &until);
      until.tv_nsec += left;
      until.tv_sec += until.tv_nsec / NS_PER_SECOND;
      until.tv_nsec %= NS_PER_SECOND;
      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
  while (dyno_clock_now_ns () < deadline_ns)
    ;
}

/* As the kernel reads them; the C library has no name for them. */
typedef struct
{
  guint32 size;
  guint32 policy;
  guint64 flags;
  gint32 nice;
  guint32 priority;
  guint64 runtime_ns;
  guint64 deadline_ns;
  guint64 period_ns;
  guint32 least_clamp;
  guint32 most_clamp;
} Attributes;

/* Lets the kernel wake this thread on the nanosecond, and prefer it to those that work: it needs a processor often, but
 * never for long. Real time takes a permission; a short slice does not, but an older kernel ignores it. */
static void
hurry (const Shared *self)
{
  const struct sched_param lowest = { .sched_priority = sched_get_priority_min (SCHED_FIFO) };
  gsize n = self->drive->requests->capacity;
  gint64 gap_ns = self->drive->arrivals[n - 1] / (gint64)n;
  Attributes attributes;

  prctl (PR_SET_TIMERSLACK, 1);
  if (gap_ns >= LEAST_GAP_NS && pthread_setschedparam (pthread_self (), SCHED_FIFO, &lowest) == 0)
    return;
  if (syscall (SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0)
    return;
  attributes.runtime_ns = SLICE_NS;
  syscall (SYS_sched_setattr, 0, &attributes, 0);
}

/* Sends every request at its time, whatever happens to earlier requests; a late request does not delay the
 * next ones. The time begins when this thread is ready, because others may have kept it from starting. */
static gpointer
send_all (gpointer data)
{
  Shared *self = data;
  DynoRequests *requests = self->drive->requests;

  dyno_pinning_bind_sampler (NULL);
  hurry (self);
  self->begin_ns = dyno_clock_now_ns () + BEGIN_NS;
  for (gsize i = 0; i < requests->capacity; i++)
    requests->data[i].intended_ns = self->begin_ns + self->drive->arrivals[i];
  self->end_ns = requests->data[requests->capacity - 1].intended_ns;
  for (gsize i = 0; i < requests->capacity; i++)
    {
      sleep_until (requests->data[i].intended_ns);
      if (atomic_load_explicit (&self->stops, memory_order_relaxed))
        return NULL;
      requests->data[i].pushed_ns = dyno_clock_now_ns ();
      sem_post (&self->sent);
    }
  atomic_store (&self->all_sent_ns, dyno_clock_now_ns ());
  return NULL;
}

/* Returns whether the server is too far behind: after the last request it gets as much time again as the
 * load was planned to take. A machine that stalled before everything was sent does not count against it. */
static gboolean
is_hopeless (Shared *self)
{
  gint64 all_sent_ns = atomic_load (&self->all_sent_ns);

  /* The thread that sends writes the other times before this one. */
  return all_sent_ns > 0 &&
         dyno_clock_now_ns () > all_sent_ns + MAX (self->end_ns - self->begin_ns, LEAST_DRAIN_NS);
}

static void
watch (Shared *self)
{
  const DynoLoadDrive *drive = self->drive;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  while (atomic_load (&self->n_running) > 0)
    {
      gboolean goes_on =
          drive->look == NULL ||
          drive->look (atomic_load (&self->n_taken), atomic_load (&self->n_answered), drive->look_data);

      if (!atomic_load (&self->stops) && (!goes_on || is_hopeless (self)))
        stop (self);
      g_cond_wait_until (&self->over, &self->lock, g_get_monotonic_time () + LOOK_US);
    }
}

static void
run_threads (Shared *self)
{
  guint n = self->drive->n_clients;
  g_autofree Client *clients = g_new (Client, n);
  g_autofree GThread **threads = g_new (GThread *, n);
  GThread *scheduler = NULL;

  for (guint i = 0; i < n; i++)
    {
      clients[i] = (Client){ self, i };
      threads[i] = g_thread_new ("client", run_client, &clients[i]);
    }
  if (self->drive->shape == DYNO_LOAD_RATE)
    scheduler = g_thread_new ("scheduler", send_all, self);
  else if (self->drive->shape == DYNO_LOAD_OFFLINE)
    {
      gint64 now = dyno_clock_now_ns ();

      for (gsize i = 0; i < self->drive->requests->capacity; i++)
        {
          self->drive->requests->data[i].intended_ns = self->drive->requests->data[i].pushed_ns = now;
          sem_post (&self->sent);
        }
    }
  watch (self);
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  if (scheduler != NULL)
    g_thread_join (scheduler);
}

gboolean
dyno_load_drive (const DynoLoadDrive *drive, GError **error)
{
  DynoRequests *requests = drive->requests;
  Shared shared = { 0 };

  g_return_val_if_fail (drive->n_clients > 0, FALSE);
  g_return_val_if_fail (requests->capacity > 0, FALSE);

  shared.drive = drive;
  atomic_store (&shared.n_running, drive->n_clients);
  sem_init (&shared.sent, 0, 0);
  pthread_barrier_init (&shared.barrier, NULL, drive->n_clients);
  g_mutex_init (&shared.lock);
  g_cond_init (&shared.over);
  shared.starts = g_new0 (gint64, drive->n_clients);
  shared.ends = g_new0 (gint64, drive->n_clients);

  run_threads (&shared);
  requests->length = drive->shape == DYNO_LOAD_RATE || drive->shape == DYNO_LOAD_OFFLINE
                         ? requests->capacity
                         : MIN (atomic_load (&shared.n_taken), requests->capacity);
  dyno_requests_sort (requests);

  sem_destroy (&shared.sent);
  pthread_barrier_destroy (&shared.barrier);
  g_mutex_clear (&shared.lock);
  g_cond_clear (&shared.over);
  g_free (shared.starts);
  g_free (shared.ends);

  if (shared.error == NULL)
    return TRUE;
  g_propagate_error (error, shared.error);
  return FALSE;
}
