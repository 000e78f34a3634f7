/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/**
 * DynoModelFilter:
 * @family: (nullable): the id of a family
 * @task: (nullable): a task
 * @size: (nullable): the id of a size class
 *
 * The models to list; NULL means any.
 */
typedef struct
{
  char *family;
  char *task;
  char *size;
} DynoModelFilter;

/* Returns whether @model matches the family, task and size. */
gboolean dyno_model_filter_matches (const DynoModelFilter *self, DynoModel *model);
/* Frees its contents; it then matches every model. */
void dyno_model_filter_clear (DynoModelFilter *self);
/* Returns their tasks, without duplicates, sorted. */
char **dyno_model_filter_list_tasks (GListModel *models);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoModelFilter, dyno_model_filter_clear)

G_END_DECLS
