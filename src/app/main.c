/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>

#include "dyno-app-shell-private.h"
#include "dyno-system.h"
#include "dyno-text.h"

int
main (int argc, char *argv[])
{
  DynoApplication *application;
  int status;

  /* A write beyond the limit on file sizes must fail and be reported, not end the process. */
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  dyno_locale_bind ();

  application = dyno_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  g_object_unref (application);
  /* Threads that wait for a driver or read sensors may take long to end. Settings and results have been written by now. */
  fflush (NULL);
  dyno_system_end (status);
}
