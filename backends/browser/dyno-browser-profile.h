/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-message.h"

G_BEGIN_DECLS

GPtrArray *dyno_browser_profile_read (DynoBrowserMessage *answer,
                                      const char *provider,
                                      gboolean is_half,
                                      GError **error);

G_END_DECLS
