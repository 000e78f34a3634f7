/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "chart-fixture.h"
#include "dyno-report.h"

/* Writes a report of runs that hold something of everything, in the format that is named, for tests in other languages. */
int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) runs = fixture_list (fixture_disturb (fixture_create_sweep ("Sweep", 2, 3)),
                                             fixture_create_modules (), fixture_create_single (), NULL);
  const DynoReportSource source = { .runs = runs };
  g_autoptr (GBytes) report =
      dyno_report_write (dyno_report_format_find (argc > 1 ? argv[1] : "json"), NULL, &source, NULL);
  gsize size;
  const char *data = report != NULL ? g_bytes_get_data (report, &size) : NULL;

  return data != NULL && fwrite (data, 1, size, stdout) == size ? 0 : 1;
}
