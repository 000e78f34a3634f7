/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void dyno_writing_begin (void);
void dyno_writing_end (void);

G_END_DECLS
