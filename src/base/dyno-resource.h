/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void));

G_END_DECLS
