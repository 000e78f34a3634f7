/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <libintl.h>

#include "dyno-paths.h"
#include "dyno-text.h"

void
dyno_locale_bind (void)
{
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_LOCALES, NULL, NULL);

  bindtextdomain (GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
