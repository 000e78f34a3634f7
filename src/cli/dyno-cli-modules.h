/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Prints the modules that take most of the time, as a tree; prints nothing if the operators have no modules. */
void dyno_cli_modules_print (DynoResult *result);

G_END_DECLS
