/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "dyno-app-widgets-private.h"

void
dyno_writing_begin (void)
{
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    g_application_hold (application);
}

void
dyno_writing_end (void)
{
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    g_application_release (application);
}
