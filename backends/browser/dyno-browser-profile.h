/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-message.h"

G_BEGIN_DECLS

/* WebNN makes one node of many operators; they are given instead, with the shapes they have in a session
 * like this one. How long operators take is known of WebAssembly alone. Returns the nodes. Elements are
 * DynoNodeProfile. The caller owns it. @answer: what the page answered when it ended its recording.
 * @provider may be NULL. @error: return location for an error. */
GPtrArray *dyno_browser_profile_read (DynoBrowserMessage *answer,
                                      const char *provider,
                                      gboolean is_half,
                                      GError **error);

G_END_DECLS
