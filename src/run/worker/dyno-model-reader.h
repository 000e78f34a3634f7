/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* As dyno_model_load(), but a worker with limited memory and time reads the file, because a stranger's file
 * must not harm this process. It is read again only after it has changed. Belongs on a thread. Returns the
 * model. @cancellable may be NULL. */
DynoModel *dyno_model_reader_load (const char *spec, GCancellable *cancellable, GError **error);
/* Reads the models that were fetched from the hub, by Dyno or by the hub’s own tools. A plain name that a
 * bundled model has means that one. Belongs on a thread. Returns a list of DynoModel: those that can be
 * built, by id. @cancellable may be NULL. */
GListModel *dyno_model_reader_list_fetched (GCancellable *cancellable);
/* Lets a worker write the model as an ONNX file, see dyno_model_export(). Belongs on a thread. Returns
 * whether it is written. @attention: `decomposed` or `fused`. */
gboolean dyno_model_reader_export (const char *spec,
                                   const char *precision,
                                   const char *attention,
                                   guint64 seed,
                                   const char *path,
                                   GError **error);
/* Asks a worker how far this system confines those that read models: sentences for people. Belongs on a thread.
 * @is_complete: gets whether both its files and its system calls are confined. */
char *dyno_model_reader_dup_confinement (gboolean *is_complete);

G_END_DECLS
