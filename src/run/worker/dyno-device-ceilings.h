/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The default duration of the measurement. */
#define DYNO_DEVICE_CEILINGS_SECONDS 20.0

/* Measures the ceilings of a device behind a runtime, in a separate process. @device: the device,
 * `BACKEND:DEVICE`, or `BACKEND` for its first device. @seconds: about how long it may take,
 * DYNO_DEVICE_CEILINGS_SECONDS usually. @cancellable may be NULL. */
void dyno_device_ceilings_measure_async (const char *device,
                                         double seconds,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Returns the ceilings, of the device `BACKEND:DEVICE`. Elements are DynoCeiling. */
GPtrArray *dyno_device_ceilings_measure_finish (GAsyncResult *result, GError **error);

G_END_DECLS
