/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "dyno-writing.h"

/**
 * dyno_writing_begin:
 *
 * Something is being written on a thread. The process does not end before [func@Dyno.writing_end], called once it is
 * written or has failed, even if the last window is closed or the user quits meanwhile.
 */
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
