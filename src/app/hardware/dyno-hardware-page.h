/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_HARDWARE_PAGE (dyno_hardware_page_get_type ())

/**
 * DynoHardwarePage:
 *
 * Describes the hardware and its software: the machine, its topology and state, the backends, and the
 * runtimes found. Threads collect everything when the page is first shown, and again on `hardware.refresh`.
 * Read-only property `loading` (boolean).
 */
G_DECLARE_FINAL_TYPE (DynoHardwarePage, dyno_hardware_page, DYNO, HARDWARE_PAGE, AdwBin)

gboolean dyno_hardware_page_get_loading (DynoHardwarePage *self);

G_END_DECLS
