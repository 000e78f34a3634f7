/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The default duration of the measurement. */
#define DYNO_DEVICE_CEILINGS_SECONDS 20.0

void dyno_device_ceilings_measure_async (const char *device,
                                         double seconds,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
GPtrArray *dyno_device_ceilings_measure_finish (GAsyncResult *result, GError **error);

G_END_DECLS
