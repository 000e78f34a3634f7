/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-message.h"

G_BEGIN_DECLS

/* WebNN fuses many operators into one node; this returns the operators instead, with their shapes in a
 * session like this one. Only WebAssembly reports the times of operators. Returns the nodes. Elements are
 * DynoNodeProfile. The caller owns it. @answer: the page's answer at the end of its recording. @provider
 * may be NULL. */
GPtrArray *dyno_browser_profile_read (DynoBrowserMessage *answer,
                                      const char *provider,
                                      gboolean is_half,
                                      GError **error);

G_END_DECLS
