/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-result-list.h"

#define N_RESULTS 200
#define N_READERS 4
#define N_READS   200000

static DynoResultList *
create_list (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("gpt2", "cpu");
  DynoResultList *list = dyno_result_list_new ();

  for (guint i = 0; i < N_RESULTS; i++)
    {
      g_autoptr (DynoResult) result = dyno_result_new (kase, i);

      dyno_result_list_append (list, result);
    }
  return list;
}

/* One after the other, each reader at a place of its own. */
static gpointer
read_all (gpointer data)
{
  GListModel *list = data;
  gsize n_wrong = 0;

  for (guint i = 0; i < N_READS; i++)
    {
      guint position = i % N_RESULTS;
      g_autoptr (DynoResult) result = g_list_model_get_item (list, position);

      n_wrong += result == NULL || dyno_result_get_ordinal (result) != position;
    }
  return GSIZE_TO_POINTER (n_wrong);
}

static void
test_readers (void)
{
  g_autoptr (DynoResultList) list = create_list ();
  GThread *readers[N_READERS];

  for (guint i = 0; i < N_READERS; i++)
    readers[i] = g_thread_new ("reader", read_all, list);
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
test_grows (void)
{
  g_autoptr (DynoResultList) list = create_list ();
  g_autoptr (DynoResult) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  guint n_items = N_RESULTS;

  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (list)) == DYNO_TYPE_RESULT);
  g_signal_connect (list, "items-changed", G_CALLBACK (changed_cb), &n_items);
  dyno_result_list_append (list, first);
  g_assert_cmpuint (n_items, ==, N_RESULTS + 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n_items);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), n_items));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/result-list/readers", test_readers);
  g_test_add_func ("/run/result-list/grows", test_grows);
  return g_test_run ();
}
