/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-task.h"
#include "suite.h"

typedef struct
{
  GMainContext *context;
  GThread *called_in;
  guint n_freed;
} Parcel;

static gboolean
receive (gpointer data)
{
  Parcel *parcel = data;

  parcel->called_in = g_thread_self ();
  return G_SOURCE_REMOVE;
}

static void
count_freed (gpointer data)
{
  ((Parcel *)data)->n_freed++;
}

static gpointer
send_parcel (gpointer data)
{
  Parcel *parcel = data;

  dyno_delivery_send (parcel->context, receive, parcel, count_freed);
  return NULL;
}

/* No loop runs while it is sent, so the sender could take the context for its own. */
static void
check_context (GMainContext *context)
{
  Parcel parcel = { .context = context };

  g_thread_join (g_thread_new ("sender", send_parcel, &parcel));
  g_assert_null (parcel.called_in);
  g_assert_cmpuint (parcel.n_freed, ==, 0);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_true (parcel.called_in == g_thread_self ());
  g_assert_cmpuint (parcel.n_freed, ==, 1);
}

static void
test_to_main_thread (void)
{
  check_context (NULL);
}

static void
test_to_other_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();

  check_context (context);
}

/* The sender goes on first, even where it runs the loop itself. */
static void
test_to_oneself (void)
{
  Parcel parcel = { NULL };

  send_parcel (&parcel);
  g_assert_null (parcel.called_in);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_true (parcel.called_in == g_thread_self ());
}

static const SuiteTest tests[] = {
  { "/delivery/to-main-thread", test_to_main_thread },
  { "/delivery/to-other-context", test_to_other_context },
  { "/delivery/to-oneself", test_to_oneself },
};

SUITE_TESTS (tests)
