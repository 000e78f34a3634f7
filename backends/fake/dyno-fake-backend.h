/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FAKE_BACKEND (dyno_fake_backend_get_type ())

/**
 * DynoFakeBackend:
 *
 * No engine at all: plays the script that the environment variable `DYNO_FAKE_BACKEND` names, for demos and
 * for tests of what goes wrong. Without that variable it does not exist.
 */
G_DECLARE_FINAL_TYPE (DynoFakeBackend, dyno_fake_backend, DYNO, FAKE_BACKEND, DynoBackend)

G_END_DECLS
