/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-library.h"

G_BEGIN_DECLS

/**
 * DynoOvProfile:
 *
 * The values of OpenVINO's counters after every run of a model.
 */
typedef struct _DynoOvProfile DynoOvProfile;

DynoOvProfile *dyno_ov_profile_new (DynoOvLibrary *library, const char *provider, gboolean gives_averages);
void dyno_ov_profile_free (DynoOvProfile *self);
OvStatus dyno_ov_profile_record (DynoOvProfile *self, const OvInferRequest *request);
GPtrArray *dyno_ov_profile_sum_up (DynoOvProfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOvProfile, dyno_ov_profile_free)

G_END_DECLS
