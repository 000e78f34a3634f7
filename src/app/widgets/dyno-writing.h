/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Something is being written on a thread. The process does not end before dyno_writing_end(), called once
 * it is written or has failed, even if the last window is closed or the user quits meanwhile. */
void dyno_writing_begin (void);
void dyno_writing_end (void);

G_END_DECLS
