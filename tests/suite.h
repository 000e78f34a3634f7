/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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
