/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Marks the beginning of a write in a thread. The process ends only after dyno_writing_end(), to be called
 * when the write has finished or failed, even if the user closes the last window or quits. */
void dyno_writing_begin (void);
void dyno_writing_end (void);

G_END_DECLS
