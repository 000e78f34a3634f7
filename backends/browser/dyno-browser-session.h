/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-host.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_SESSION (dyno_browser_session_get_type ())

/**
 * DynoBrowserTarget:
 * @device: the device's id
 * @provider: what ONNX Runtime Web calls the engine, `webnn`, `webgpu` or `wasm`
 * @device_type: (nullable): the requested device type of WebNN
 *
 * What a page can run a model on.
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
 * A model loaded into ONNX Runtime Web, in a browser of its own. Steps are timed in the page, by the browser's clock.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserSession, dyno_browser_session, DYNO, BROWSER_SESSION, DynoSession)

DynoSession *dyno_browser_session_new (const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
DynoSession *dyno_browser_session_new_in (DynoBrowserHost *host,
                                          const DynoBrowserTarget *target,
                                          const char *onnx_path,
                                          const DynoSessionOptions *options,
                                          GError **error);
DynoBrowserHost *dyno_browser_session_get_host (DynoBrowserSession *self);

G_END_DECLS
