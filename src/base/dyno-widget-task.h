/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GTask *dyno_widget_task_new (gpointer owner, GCancellable *cancellable, GAsyncReadyCallback callback);

G_END_DECLS
