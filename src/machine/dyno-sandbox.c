/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-paths.h"
#include "dyno-sandbox.h"

/* Flatpak puts this file into every sandbox, and only there. */
#define FLATPAK_INFO ".flatpak-info"

gboolean
dyno_sandbox_is_active (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_ROOT, FLATPAK_INFO, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

const char *
dyno_sandbox_get_note (void)
{
  if (!dyno_sandbox_is_active ())
    return NULL;
  /* Translators: do not translate the command. */
  return _ ("Dyno runs in Flatpak’s sandbox. From here it cannot see NPUs, performance counters, the "
            "processes of other programs, or the CUDA and ROCm libraries of this machine, and it has no "
            "network. “flatpak override --user --device=all --share=network io.github.dynobench.Dyno” adds "
            "NPUs and the network; Dyno’s Debian package sees all of the machine.");
}
