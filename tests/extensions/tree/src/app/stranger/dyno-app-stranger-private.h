/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-app-session-private.h"

G_BEGIN_DECLS

/* dyno-stranger-page */

#define DYNO_TYPE_STRANGER_PAGE (dyno_stranger_page_get_type ())

/* A page that says whether the session has a store. */
G_DECLARE_FINAL_TYPE (DynoStrangerPage, dyno_stranger_page, DYNO, STRANGER_PAGE, DynoPage)

G_END_DECLS
