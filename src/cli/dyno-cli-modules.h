/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

void dyno_cli_modules_print (DynoResult *result);

G_END_DECLS
