/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Download caches such as that of huggingface_hub keep files elsewhere and link to them, and some engines refuse
 * weights outside the folder of the model. In that case all of its files are gathered in a new folder. Returns the
 * path to open; NULL on error. The caller owns it. @external_files (nullable): the files with its weights, relative
 * to its folder. @folder (nullable): a folder to remove with dyno_scratch_remove() after the engine has read the
 * model. @error: return location for an error with a remedy. */
char *dyno_linked_model_gather (const char *path, GPtrArray *external_files, char **folder, GError **error);

G_END_DECLS
