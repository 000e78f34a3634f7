/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "dyno-application.h"
#include "dyno-locale.h"

int
main (int argc, char *argv[])
{
  DynoApplication *application;
  int status;

  /* A write beyond a limit on file sizes fails, and is reported, instead of ending the process. */
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  dyno_locale_bind ();

  application = dyno_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  g_object_unref (application);
  /* A thread that waits for a driver or reads sensors may take long to end, and what destructors take down it still
   * uses. Settings and results are written by now. */
  fflush (NULL);
  _exit (status);
}
