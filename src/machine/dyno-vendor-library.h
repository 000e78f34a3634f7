/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gmodule.h>

G_BEGIN_DECLS

GModule *dyno_vendor_library_open (const char *const *names);
gpointer dyno_vendor_library_find (GModule *library, const char *const *symbols);

G_END_DECLS
