/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/**
 * SUITE:
 * @run: `int (*) (int argc, char *argv[])`: initialises GLib's tests, adds those of its file and runs them
 *
 * Makes a file a suite of its module's program, which is linked once: `test-chart axis` runs those of
 * `test-axis.c`, in a process of their own.
 */
#define SUITE(run)                                                                                           \
  __attribute__ ((constructor)) static void add_suite (void)                                                 \
  {                                                                                                          \
    suite_add (__FILE__, run);                                                                               \
  }

typedef int (*SuiteRun) (int argc, char *argv[]);

void suite_add (const char *file, SuiteRun run);

/* Whether all tests are to run, as in `./dev faults`; else those that others are much like are left out. */
gboolean suite_is_thorough (void);

typedef struct
{
  const char *path;
  void (*run) (void);
  gboolean is_thorough; /* only where suite_is_thorough() */
} SuiteTest;

/**
 * SUITE_TESTS:
 * @tests: `SuiteTest []`: all tests of the file, which need no preparation
 *
 * Makes a file a suite as %SUITE does.
 */
#define SUITE_TESTS(tests)                                                                                   \
  __attribute__ ((constructor)) static void add_suite (void)                                                 \
  {                                                                                                          \
    suite_add_tests (__FILE__, tests, sizeof (tests) / sizeof (tests)[0]);                                   \
  }

void suite_add_tests (const char *file, const SuiteTest *tests, unsigned n_tests);

/* A row of the table of %SUITE_FIXTURE_TESTS. */
#define SuiteFixtureTest(Fixture)                                                                            \
  struct                                                                                                     \
  {                                                                                                          \
    const char *path;                                                                                        \
    void (*run) (Fixture * fixture, gconstpointer data);                                                     \
    gboolean is_thorough;                                                                                    \
  }

/**
 * SUITE_FIXTURE_TESTS:
 * @tests: `SuiteFixtureTest (Fixture) []`: all tests of the file
 *
 * Makes a file a suite as %SUITE does. Each test has a fixture of its own.
 */
#define SUITE_FIXTURE_TESTS(tests, Fixture, set_up, tear_down)                                               \
  static void add_fixture_tests (void)                                                                       \
  {                                                                                                          \
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)                                                         \
      if (!tests[i].is_thorough || suite_is_thorough ())                                                     \
        g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);                          \
  }                                                                                                          \
                                                                                                             \
  SUITE_ADD (add_fixture_tests)

/**
 * SUITE_ADD:
 * @add: `void (*) (void)`: adds the tests of its file, after g_test_init()
 *
 * Makes a file a suite as %SUITE does.
 */
#define SUITE_ADD(add)                                                                                       \
  __attribute__ ((constructor)) static void add_suite (void)                                                 \
  {                                                                                                          \
    suite_add_with (__FILE__, add);                                                                          \
  }

typedef void (*SuiteAdd) (void);

void suite_add_with (const char *file, SuiteAdd add);

/* The error is in our domain, has the code, and its message contains the words. Clears it for the next one. */
#define suite_assert_error(error, code, words)                                                               \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_assert_error (error, DYNO_ERROR, (int)(code));                                                         \
    g_test_message ("%s", (error)->message);                                                                 \
    g_assert_nonnull (strstr ((error)->message, words));                                                     \
    g_clear_error (&(error));                                                                                \
  }                                                                                                          \
  G_STMT_END
