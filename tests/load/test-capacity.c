/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "dyno-capacity.h"
#include "suite.h"

/* A server of @slots, each of which answers 100 requests a second. */
static double
serve (guint clients, guint slots)
{
  return 100.0 * MIN (clients, slots);
}

static void
check_search (guint slots, guint most, double capacity, guint knee, guint n_steps)
{
  DynoCapacityPoint points[32];
  guint n = 0, clients, found;

  while ((clients = dyno_capacity_next_clients (points, n, most)) > 0)
    points[n++] = (DynoCapacityPoint){ clients, serve (clients, slots) };
  g_assert_cmpuint (n, ==, n_steps);
  g_assert_cmpfloat (dyno_capacity_find (points, n, &found), ==, capacity);
  g_assert_cmpuint (found, ==, knee);
}

static void
test_capacity (void)
{
  check_search (1, 64, 100, 1, 3);
  check_search (4, 64, 400, 4, 5);
  check_search (3, 64, 300, 4, 5);
  check_search (100, 8, 800, 8, 4);
  check_search (100, 1, 100, 1, 1);
}

/* Enough to see that more than the slots bring nothing, whatever the processors here. */
static void
test_most_clients (void)
{
  g_assert_cmpuint (dyno_capacity_count_clients (2), ==, 8);
  check_search (16, dyno_capacity_count_served_clients (16), 1600, 16, 7);
  g_assert_cmpuint (dyno_capacity_count_served_clients (1000), ==, 1024);
  g_assert_cmpuint (dyno_capacity_count_served_clients (0), ==, 256);
}

static void
test_reached (void)
{
  static const DynoCapacityPoint points[] = { { 1, 100 }, { 2, 200 }, { 4, 201 }, { 8, 202 } };

  g_assert_false (dyno_capacity_is_reached (points, 0));
  g_assert_false (dyno_capacity_is_reached (points, 2));
  g_assert_false (dyno_capacity_is_reached (points, 3));
  g_assert_true (dyno_capacity_is_reached (points, 4));
}

/* One step that brings nothing may be noise. */
static void
test_dip (void)
{
  static const DynoCapacityPoint points[] = { { 1, 100 }, { 2, 101 }, { 4, 200 } };

  g_assert_cmpuint (dyno_capacity_next_clients (points, 2, 64), ==, 4);
  g_assert_cmpuint (dyno_capacity_next_clients (points, 3, 64), ==, 8);
}

static void
test_rates (void)
{
  g_autoptr (GArray) rates = dyno_capacity_list_rates (200, 3);
  g_autoptr (GArray) other = dyno_capacity_list_rates (200, 4);
  double sum = 0;
  gboolean differs = FALSE;

  g_assert_cmpuint (rates->len, ==, 9);
  g_assert_cmpfloat (g_array_index (rates, double, 8), ==, 100);
  for (guint i = 0; i < 8; i++)
    {
      sum += g_array_index (rates, double, i);
      differs |= g_array_index (rates, double, i) != g_array_index (other, double, i);
    }
  g_assert_cmpfloat (sum, ==, 1250);
  g_assert_true (differs);
}

/* Finds a limit at 83.7 requests a second within 2 %, from the rates that are tried anyway. */
static void
test_bisection (void)
{
  DynoRatePoint points[32] = { { 50, TRUE }, { 110, FALSE }, { 30, TRUE }, { 90, FALSE }, { 80, TRUE } };
  guint n = 5;
  double rate;

  while ((rate = dyno_capacity_next_rate (points, n)) > 0)
    points[n++] = (DynoRatePoint){ rate, rate <= 83.7 };
  g_assert_cmpuint (n, <=, 9);
  g_assert_cmpfloat (dyno_capacity_find_rate (points, n), <=, 83.7);
  g_assert_cmpfloat (dyno_capacity_find_rate (points, n) * 1.02, >=, 83.7);
}

/* A rate that is kept above one that is not was luck; without both sides there is nothing to halve. */
static void
test_bisection_ends (void)
{
  static const DynoRatePoint lucky[] = { { 50, TRUE }, { 80, FALSE }, { 90, TRUE } };
  static const DynoRatePoint none[] = { { 30, FALSE }, { 50, FALSE } };
  static const DynoRatePoint all[] = { { 30, TRUE }, { 110, TRUE } };

  g_assert_cmpfloat (dyno_capacity_next_rate (lucky, 3), ==, 65);
  g_assert_cmpfloat (dyno_capacity_find_rate (lucky, 3), ==, 50);
  g_assert_cmpfloat (dyno_capacity_next_rate (none, 2), ==, 0);
  g_assert_cmpfloat (dyno_capacity_find_rate (none, 2), ==, 0);
  g_assert_cmpfloat (dyno_capacity_next_rate (all, 2), ==, 0);
  g_assert_cmpfloat (dyno_capacity_find_rate (all, 2), ==, 110);
}

static const SuiteTest tests[] = {
  { "/capacity/most-clients", test_most_clients },
  { "/capacity/search", test_capacity },
  { "/capacity/reached", test_reached },
  { "/capacity/dip", test_dip },
  { "/capacity/rates", test_rates },
  { "/capacity/bisection", test_bisection },
  { "/capacity/bisection-ends", test_bisection_ends },
};

SUITE_TESTS (tests)
