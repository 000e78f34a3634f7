/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_STAGED_SESSION (dyno_staged_session_get_type ())

/**
 * DynoStagedSession:
 *
 * A model of several graphs, each in a session of the same engine: a [struct@Dyno.Manifest] that was opened. In a step a
 * stage runs that takes one of the tensors that were set last into the slot, or what a stage gives that runs; what a stage
 * gave before stays where it was handed. So a step for which only the inputs of a decoder are set runs the decoder alone.
 *
 * A stage that repeats runs once for each part of its inputs that are cut; `next_NAME` of one time is `NAME` of the next.
 * Its parts are set as it runs, so it has one slot, whatever the others have.
 */
G_DECLARE_FINAL_TYPE (DynoStagedSession, dyno_staged_session, DYNO, STAGED_SESSION, DynoSession)

/* Of DynoBackendClass. */
typedef DynoSession *(*DynoStagedOpen) (gpointer backend,
                                        const char *onnx_path,
                                        const DynoSessionOptions *options,
                                        GError **error);

/* Returns the stages, loaded; NULL if there is none. @error: return location for an error, which names the
 * stage. */
DynoSession *dyno_staged_session_new (const char *manifest_path,
                                      const DynoSessionOptions *options,
                                      DynoStagedOpen open,
                                      gpointer backend,
                                      GError **error);

G_END_DECLS
