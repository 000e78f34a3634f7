/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets the folder of the translations; call it at the start of a program that has set its locale. */
void dyno_locale_bind (void);

G_END_DECLS
