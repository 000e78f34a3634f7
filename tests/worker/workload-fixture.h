/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-worker-private.h"

static inline void
prepare_workload (DynoWorkload *workload, DynoSession *session)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_workload_prepare (workload, session, &error));
  g_assert_no_error (error);
}

static inline void
take_sample (DynoWorkload *workload, DynoSamples *samples, guint steps)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_workload_sample (workload, samples, steps, &error));
  g_assert_no_error (error);
}
