/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As dyno-glib.h, for the window. */

#include "dyno-glib.h"

#include <adwaita.h>
