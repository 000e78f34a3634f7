/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keeps all processors busy at the same time, in bursts of 0.05 to 1.5 s with pauses as long, always the same ones. */
typedef struct _Disturber Disturber;

Disturber *disturber_start (void);
void disturber_stop (Disturber *self);

G_END_DECLS
