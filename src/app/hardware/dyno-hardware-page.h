/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_HARDWARE_PAGE (dyno_hardware_page_get_type ())

/**
 * DynoHardwarePage:
 *
 * What there is to measure on: the machine and its topology, its state, the backends, the runtimes found.
 * Everything is looked up in threads when the page is first shown, and again by `hardware.refresh`. Read-only
 * property `loading` (boolean).
 */
G_DECLARE_FINAL_TYPE (DynoHardwarePage, dyno_hardware_page, DYNO, HARDWARE_PAGE, AdwBin)

gboolean dyno_hardware_page_get_loading (DynoHardwarePage *self);

G_END_DECLS
