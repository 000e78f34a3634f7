/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-backend.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* dyno-backend */

/* Returns whether a trial of it exists; fails with DYNO_ERROR_UNSUPPORTED. @precision: as it is stored; NULL for the
 * default one. */
gboolean dyno_backend_check_precision (DynoBackend *self, const char *precision, GError **error);
/* Fails with DYNO_ERROR_NOT_FOUND. Returns FALSE. */
gboolean dyno_backend_fail_without_device (DynoBackend *self, const char *device, GError **error);

/* dyno-library-search */

/* Looks for an engine's library: in the runtimes folder and its subfolders, which are for Dyno alone, in the system's
 * folders, in the virtual environment and in the system's Python. Within each, the highest version comes first.
 * Returns the files found, without links and without duplicates. The caller owns it. @prefix: the beginning of the
 * library's file name, `libopenvino_c.so`. @python_folder: the folder of the library in a Python package, below
 * `site-packages`. */
char **dyno_library_search (const char *prefix, const char *python_folder);

/* dyno-staged-session */

#define DYNO_TYPE_STAGED_SESSION (dyno_staged_session_get_type ())

/**
 * DynoStagedSession:
 *
 * An open model of several graphs (DynoManifest), each in a session of its own, on the engine of the model or on one that
 * its DynoStageOptions name. A step runs the
 * stages that take one of the tensors last set in the slot, or an output of another stage that runs; earlier outputs
 * stay where they were handed over. So a step for which only the inputs of a decoder are set runs the decoder alone.
 *
 * A repeating stage runs once for each part of its inputs; its output `next_NAME` is the input `NAME` of its next
 * run. Its parts are set as it runs, so it has one slot, however many the others have.
 */
G_DECLARE_FINAL_TYPE (DynoStagedSession, dyno_staged_session, DYNO, STAGED_SESSION, DynoSession)

/* The open function of DynoBackendClass. */
typedef DynoSession *(*DynoStagedOpen) (gpointer backend,
                                        const char *onnx_path,
                                        const DynoSessionOptions *options,
                                        GError **error);

/* Returns the stages, loaded; NULL on error. @error: return location for an error, which names the stage. */
DynoSession *dyno_staged_session_new (const char *manifest_path,
                                      const DynoSessionOptions *options,
                                      DynoStagedOpen open,
                                      gpointer backend,
                                      GError **error);

G_END_DECLS
