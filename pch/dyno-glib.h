/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nearly all files include these. A file still includes what it uses: `./dev lint` builds without this. */

#include "config.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
