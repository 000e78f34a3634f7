/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-self-test.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

/* Selects the rows of `runs` that are not self-tests. */
#define DYNO_STORE_NO_SELF_TEST "ifnull (source, '') <> '" DYNO_SELF_TEST_SOURCE "'"

/* Returns the newest self-test of this machine with enough processes for a noise floor; NULL without an
 * error if there is none. The caller owns it. */
DynoSelfTest *dyno_store_self_test_read (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
