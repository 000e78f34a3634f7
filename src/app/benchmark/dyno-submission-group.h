/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-cluster-follower.h"

G_BEGIN_DECLS

#define DYNO_TYPE_SUBMISSION_GROUP (dyno_submission_group_get_type ())

/**
 * DynoSubmissionGroup:
 *
 * The followed submissions, with a row to open each. Invisible if there are none.
 */
G_DECLARE_FINAL_TYPE (DynoSubmissionGroup, dyno_submission_group, DYNO, SUBMISSION_GROUP, AdwPreferencesGroup)

void dyno_submission_group_set_follower (DynoSubmissionGroup *self, DynoClusterFollower *follower);

G_END_DECLS
