/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-host.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_SESSION (dyno_browser_session_get_type ())

/**
 * DynoBrowserTarget:
 * @device: the device's id
 * @provider: the engine's name in ONNX Runtime Web, `webnn`, `webgpu` or `wasm`
 * @device_type: (nullable): the requested device type of WebNN
 *
 * A device on which a page can run a model.
 */
typedef struct
{
  const char *device;
  const char *provider;
  const char *device_type;
} DynoBrowserTarget;

/**
 * DynoBrowserSession:
 *
 * A model loaded into ONNX Runtime Web, in its own browser. Steps are timed in the page, by the browser's clock.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserSession, dyno_browser_session, DYNO, BROWSER_SESSION, DynoSession)

/* Starts a browser for this model alone. An engine that compiles for fixed sizes does so when the first inputs are
 * set, unless the model has no free dimensions. Returns the model, loaded; NULL on error. @target: the device to run
 * on; must outlive the session. @error: return location for an error, which names the model. */
DynoSession *dyno_browser_session_new (const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
/* Opens a model in a running browser, which is not suitable for measuring it. Earlier sessions in that browser become
 * unusable. Returns the model, loaded; NULL on error. @host: a browser whose page has no model yet, or one that is
 * not needed any more. @target: the device to run on; must outlive the session. @options: how to open it; the page
 * keeps its first number of threads. @error: return location for an error, which names the model. */
DynoSession *dyno_browser_session_new_in (DynoBrowserHost *host,
                                          const DynoBrowserTarget *target,
                                          const char *onnx_path,
                                          const DynoSessionOptions *options,
                                          GError **error);
/* Returns the host of its browser. */
DynoBrowserHost *dyno_browser_session_get_host (DynoBrowserSession *self);

G_END_DECLS
