/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-shared-list.h"
#include "suite.h"

#define N_ITEMS   200
#define N_READERS 4
#define N_READS   200000

typedef struct
{
  GListModel *list;
  gpointer items[N_ITEMS];
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = dyno_shared_list_new (G_TYPE_OBJECT);
  for (guint i = 0; i < N_ITEMS; i++)
    {
      g_autoptr (GObject) item = g_object_new (G_TYPE_OBJECT, NULL);

      dyno_shared_list_append (fixture->list, item);
      fixture->items[i] = item;
    }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->list);
}

/* One after the other, each reader at a place of its own. */
static gpointer
read_all (gpointer data)
{
  Fixture *fixture = data;
  gsize n_wrong = 0;

  for (guint i = 0; i < N_READS; i++)
    {
      guint position = i % N_ITEMS;
      g_autoptr (GObject) item = g_list_model_get_item (fixture->list, position);

      n_wrong += item != fixture->items[position];
    }
  return GSIZE_TO_POINTER (n_wrong);
}

static void
test_readers (Fixture *fixture, gconstpointer data)
{
  GThread *readers[N_READERS];

  for (guint i = 0; i < N_READERS; i++)
    readers[i] = g_thread_new ("reader", read_all, fixture);
  for (guint i = 0; i < N_READERS; i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (readers[i])), ==, 0);
}

static void
changed_cb (GListModel *list, guint position, guint n_removed, guint n_added, guint *n_items)
{
  g_assert_cmpuint (position, ==, *n_items);
  g_assert_cmpuint (n_removed, ==, 0);
  *n_items += n_added;
}

static void
test_grows (Fixture *fixture, gconstpointer data)
{
  guint n_items = N_ITEMS;

  g_assert_true (g_list_model_get_item_type (fixture->list) == G_TYPE_OBJECT);
  g_signal_connect (fixture->list, "items-changed", G_CALLBACK (changed_cb), &n_items);
  dyno_shared_list_append (fixture->list, fixture->items[0]);
  g_assert_cmpuint (n_items, ==, N_ITEMS + 1);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, n_items);
  g_assert_null (g_list_model_get_item (fixture->list, n_items));
}

static const SuiteFixtureTest (Fixture) tests[] = {
  { "/shared-list/readers", test_readers },
  { "/shared-list/grows", test_grows },
};

SUITE_FIXTURE_TESTS (tests, Fixture, set_up, tear_down)
