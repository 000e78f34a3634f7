/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-compat.h"
#include "dyno-model-spec.h"

gboolean
dyno_compat_lookup_color (GtkWidget *widget, const char *name, GdkRGBA *color)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (color != NULL, FALSE);

  return gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, color);
}

static gboolean
has_range (GtkAdjustment *adjustment)
{
  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment) >
         gtk_adjustment_get_page_size (adjustment);
}

static void
set_scroll_flags (GtkWidget *widget, GtkEventControllerScrollFlags flags)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_scroll_set_flags (GTK_EVENT_CONTROLLER_SCROLL (controller), flags);
    }
}

static void
range_changed_cb (GtkScrolledWindow *self)
{
  GtkEventControllerScrollFlags flags = GTK_EVENT_CONTROLLER_SCROLL_KINETIC;

  if (has_range (gtk_scrolled_window_get_vadjustment (self)))
    flags |= GTK_EVENT_CONTROLLER_SCROLL_VERTICAL;
  if (has_range (gtk_scrolled_window_get_hadjustment (self)))
    flags |= GTK_EVENT_CONTROLLER_SCROLL_HORIZONTAL;
  set_scroll_flags (GTK_WIDGET (self), flags);
}

void
dyno_compat_scroll_where_needed (GtkScrolledWindow *self)
{
  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (self));

  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self), "changed",
                           G_CALLBACK (range_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self), "changed",
                           G_CALLBACK (range_changed_cb), self, G_CONNECT_SWAPPED);
  range_changed_cb (self);
}

void
dyno_compat_ignore_wheel (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  set_scroll_flags (widget, GTK_EVENT_CONTROLLER_SCROLL_NONE);
}

GtkWidget *
dyno_compat_find_inside (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = dyno_compat_find_inside (child, type);
  return found;
}

void
dyno_compat_append_numbers (GtkColumnView *view, GtkColumnViewColumn *column)
{
  GtkWidget *header, *label, *box;

  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));
  g_return_if_fail (GTK_IS_COLUMN_VIEW_COLUMN (column));

  gtk_column_view_append_column (view, column);
  header = gtk_widget_get_first_child (GTK_WIDGET (view));
  label = dyno_compat_find_inside (gtk_widget_get_last_child (header), GTK_TYPE_LABEL);
  box = label != NULL ? gtk_widget_get_parent (label) : NULL;
  if (!GTK_IS_BOX (box))
    return;
  /* Puts the arrow of the sort order before the title. */
  gtk_box_reorder_child_after (GTK_BOX (box), label, gtk_widget_get_last_child (box));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
}

#if ADW_CHECK_VERSION(1, 7, 0)
G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* newer than the oldest that is supported */

static void
toggled_cb (AdwToggleGroup *group, GParamSpec *pspec, GtkStack *stack)
{
  if (adw_toggle_group_get_active_name (group) != NULL)
    gtk_stack_set_visible_child_name (stack, adw_toggle_group_get_active_name (group));
}

static void
page_shown_cb (AdwToggleGroup *group, GParamSpec *pspec, GtkStack *stack)
{
  const char *name = gtk_stack_get_visible_child_name (stack);

  if (name != NULL && adw_toggle_group_get_toggle_by_name (group, name) != NULL)
    adw_toggle_group_set_active_name (group, name);
}

/* A toggle cannot be hidden, so all are made again. */
static void
fill_switcher_cb (AdwToggleGroup *group)
{
  GListModel *pages = g_object_get_data (G_OBJECT (group), "pages");
  GtkStack *stack = g_object_get_data (G_OBJECT (group), "stack");

  g_signal_handlers_block_by_func (group, toggled_cb, stack);
  adw_toggle_group_remove_all (group);
  for (guint i = 0; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (GtkStackPage) page = g_list_model_get_item (pages, i);
      AdwToggle *toggle;

      if (!gtk_stack_page_get_visible (page))
        continue;
      toggle = adw_toggle_new ();
      adw_toggle_set_name (toggle, gtk_stack_page_get_name (page));
      adw_toggle_set_label (toggle, gtk_stack_page_get_title (page));
      adw_toggle_group_add (group, toggle);
    }
  page_shown_cb (group, NULL, stack);
  g_signal_handlers_unblock_by_func (group, toggled_cb, stack);
}

static void
pages_changed_cb (AdwToggleGroup *group, guint position, guint n_removed, guint n_added, GListModel *pages)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkStackPage) page = g_list_model_get_item (pages, i);

      g_signal_connect_object (page, "notify::visible", G_CALLBACK (fill_switcher_cb), group,
                               G_CONNECT_SWAPPED);
    }
  fill_switcher_cb (group);
}

G_GNUC_END_IGNORE_DEPRECATIONS
#endif

GtkWidget *
dyno_compat_switcher_new (GtkStack *stack, const char *label)
{
  GtkWidget *switcher;

  g_return_val_if_fail (GTK_IS_STACK (stack), NULL);
  g_return_val_if_fail (label != NULL, NULL);

#if ADW_CHECK_VERSION(1, 7, 0)
  GtkSelectionModel *pages = gtk_stack_get_pages (stack);

  G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* newer than the oldest that is supported */
  switcher = adw_toggle_group_new ();
  adw_toggle_group_set_can_shrink (ADW_TOGGLE_GROUP (switcher), FALSE);
  g_object_set_data (G_OBJECT (switcher), "stack", stack);
  g_object_set_data_full (G_OBJECT (switcher), "pages", pages, g_object_unref);
  g_signal_connect_object (switcher, "notify::active-name", G_CALLBACK (toggled_cb), stack, 0);
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (page_shown_cb), switcher,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pages, "items-changed", G_CALLBACK (pages_changed_cb), switcher,
                           G_CONNECT_SWAPPED);
  pages_changed_cb (ADW_TOGGLE_GROUP (switcher), 0, 0, g_list_model_get_n_items (G_LIST_MODEL (pages)),
                    G_LIST_MODEL (pages));
  G_GNUC_END_IGNORE_DEPRECATIONS
#else
  switcher = g_object_new (GTK_TYPE_STACK_SWITCHER, "stack", stack, NULL);
#endif
  gtk_widget_add_css_class (switcher, "dyno-sections");
  gtk_accessible_update_property (GTK_ACCESSIBLE (switcher), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return switcher;
}

static void
chooser_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GTask) task = user_data;
  gpointer chosen = NULL;

  gtk_native_dialog_hide (dialog);
  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_select_multiple (chooser) ? (gpointer)gtk_file_chooser_get_files (chooser)
                                                            : (gpointer)gtk_file_chooser_get_file (chooser);
  g_task_return_pointer (task, chosen, g_object_unref);
}

static GtkFileFilter *
file_filter_new (const char *name, const char *const *suffixes, gboolean with_models)
{
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  if (*suffixes == NULL && !with_models)
    gtk_file_filter_add_pattern (filter, "*");
  for (guint i = 0; suffixes[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, suffixes[i]);
  for (guint i = 0; with_models && dyno_model_spec_get_suffix (i) != NULL; i++)
    gtk_file_filter_add_suffix (filter, dyno_model_spec_get_suffix (i));
  return filter;
}

static GtkFileChooserNative *
file_chooser_new (GtkWidget *widget, const char *title, GtkFileChooserAction action)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  const char *accept = action == GTK_FILE_CHOOSER_ACTION_SAVE ? _ ("_Save") : _ ("_Open");
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
      title, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, action, accept, _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  return chooser;
}

/* The task owns the chooser, and the chooser's response handler owns the task. */
static void
file_chooser_run (GtkFileChooserNative *chooser, GTask *task, GCallback response_cb)
{
  g_task_set_task_data (task, chooser, g_object_unref);
  g_signal_connect (chooser, "response", response_cb, task);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
choose (GtkWidget *widget,
        const char *title,
        GtkFileChooserAction action,
        const DynoCompatFilter *filters,
        gboolean several,
        GAsyncReadyCallback callback,
        gpointer user_data)
{
  GtkFileChooserNative *chooser = file_chooser_new (widget, title, action);
  GTask *task = g_task_new (widget, NULL, callback, user_data);

  g_task_set_source_tag (task, choose);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), several);
  for (guint i = 0; filters != NULL && filters[i].name != NULL; i++)
    {
      g_autoptr (GtkFileFilter) filter =
          file_filter_new (_ (filters[i].name), filters[i].suffixes, filters[i].with_models);
      gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
    }
  file_chooser_run (chooser, task, G_CALLBACK (chooser_response_cb));
}

void
dyno_compat_open_file_async (GtkWidget *widget,
                             const char *title,
                             const DynoCompatFilter *filters,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  choose (widget, title, GTK_FILE_CHOOSER_ACTION_OPEN, filters, FALSE, callback, user_data);
}

void
dyno_compat_open_files_async (GtkWidget *widget,
                              const char *title,
                              const DynoCompatFilter *filters,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  choose (widget, title, GTK_FILE_CHOOSER_ACTION_OPEN, filters, TRUE, callback, user_data);
}

void
dyno_compat_select_folder_async (GtkWidget *widget,
                                 const char *title,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  choose (widget, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, FALSE, callback, user_data);
}

/* Formats are filters: of all choices in a file dialog, only these appear in every version of GTK and in the
 * portals. */

#define ENDING       "ending"       /* of a filter: a dot and the suffix of its format */
#define FIRST_ENDING "first-ending" /* of a dialog: the ending of its initial name */

static void
add_format (GtkFileChooser *chooser, const DynoCompatFormat *format, const char *name)
{
  char *ending = g_strconcat (".", format->suffix, NULL);
  g_autofree char *label = g_strdup_printf ("%s (%s)", format->label, ending);
  g_autoptr (GtkFileFilter) filter =
      file_filter_new (label, (const char *const[]){ format->suffix, NULL }, FALSE);

  g_object_set_data_full (G_OBJECT (filter), ENDING, ending, g_free);
  gtk_file_chooser_add_filter (chooser, filter);
  if (!g_str_has_suffix (name, ending))
    return;
  gtk_file_chooser_set_filter (chooser, filter);
  g_object_set_data (G_OBJECT (chooser), FIRST_ENDING, ending);
}

/* Returns the position of a format's ending in a name, or the end of the name. */
static gsize
find_ending (GtkFileChooser *chooser, const char *name)
{
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);
  gsize length = strlen (name), stem = length;

  for (guint i = 0; i < g_list_model_get_n_items (filters); i++)
    {
      g_autoptr (GObject) filter = g_list_model_get_item (filters, i);
      const char *ending = g_object_get_data (filter, ENDING);

      if (length > strlen (ending) && g_ascii_strcasecmp (name + length - strlen (ending), ending) == 0)
        stem = MIN (stem, length - strlen (ending));
    }
  return stem;
}

static const char *
get_chosen_ending (GtkFileChooser *chooser)
{
  return g_object_get_data (G_OBJECT (gtk_file_chooser_get_filter (chooser)), ENDING);
}

static char *
dup_name_in_format (GtkFileChooser *chooser, const char *name)
{
  return g_strdup_printf ("%.*s%s", (int)find_ending (chooser, name), name, get_chosen_ending (chooser));
}

/* The suffix of a typed name determines the format. A portal does not change the suggested name. */
static gboolean
is_in_format (GtkFileChooser *chooser, const char *name)
{
  const char *ending = name + find_ending (chooser, name);
  const char *first = g_object_get_data (G_OBJECT (chooser), FIRST_ENDING);

  return *ending != '\0' &&
         (g_ascii_strcasecmp (ending, first) != 0 || g_str_equal (first, get_chosen_ending (chooser)));
}

static void
format_chosen_cb (GtkFileChooser *dialog)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (dialog);
  g_autofree char *renamed = dup_name_in_format (dialog, name);

  if (!g_str_equal (renamed, name))
    gtk_file_chooser_set_current_name (dialog, renamed);
}

static void
looked_up_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  GtkFileChooser *chooser = g_task_get_task_data (task);
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, NULL);
  g_autofree char *name = g_file_get_basename (G_FILE (object));

  if (info != NULL)
    {
      gtk_file_chooser_set_current_name (chooser, name);
      gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
      return;
    }
  g_task_return_pointer (task, g_object_ref (object), g_object_unref);
  g_object_unref (task);
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;

  if (response != GTK_RESPONSE_ACCEPT || name == NULL || is_in_format (chooser, name))
    {
      chooser_response_cb (dialog, response, user_data);
      return;
    }
  gtk_native_dialog_hide (dialog);

  /* The user has not confirmed overwriting a file of the new name: if there is one, show the dialog again. */
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *new_name = dup_name_in_format (chooser, name);
  g_autoptr (GFile) renamed = g_file_get_child (folder, new_name);
  g_file_query_info_async (renamed, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, NULL, looked_up_cb, user_data);
}

void
dyno_compat_save_file_async (GtkWidget *widget,
                             const char *title,
                             const char *name,
                             const DynoCompatFormat *formats,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GtkFileChooserNative *chooser;
  GTask *task;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (formats != NULL && formats->suffix != NULL);

  chooser = file_chooser_new (widget, title, GTK_FILE_CHOOSER_ACTION_SAVE);
  for (; formats->suffix != NULL; formats++)
    add_format (GTK_FILE_CHOOSER (chooser), formats, name);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  task = g_task_new (widget, NULL, callback, user_data);
  g_task_set_source_tag (task, dyno_compat_save_file_async);
  file_chooser_run (chooser, task, G_CALLBACK (save_response_cb));

  /* In GTK's own dialog, only the window reports a change of the format at once. */
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_FILE_CHOOSER (window) &&
          gtk_window_get_transient_for (window) ==
              gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (chooser)))
        g_signal_connect (window, "notify::filter", G_CALLBACK (format_chosen_cb), NULL);
    }
}

gpointer
dyno_compat_choose_finish (GAsyncResult *result)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
answered_cb (AdwMessageDialog *dialog, const char *response, gpointer user_data)
{
  DynoCompatAnswer answer = g_object_get_data (G_OBJECT (dialog), "answer");

  answer (g_str_equal (response, "save"), user_data);
}

void
dyno_compat_ask_to_save (
    GtkWidget *widget, const char *heading, const char *body, DynoCompatAnswer answer, gpointer user_data)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, heading, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "discard", _ ("_Discard"), "save",
                                    _ ("_Save As…"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "discard");
  g_object_set_data (G_OBJECT (dialog), "answer", answer);
  g_signal_connect (dialog, "response", G_CALLBACK (answered_cb), user_data);
  gtk_window_present (GTK_WINDOW (dialog));
}

GtkWidget *
dyno_compat_ask_for_name (GtkWidget *widget,
                          const char *heading,
                          const char *body,
                          GtkWidget *form,
                          const char *accept,
                          DynoCompatAnswer answer,
                          gpointer user_data)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, heading, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "save", accept,
                                    NULL);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), form);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (dialog), "save", FALSE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data (G_OBJECT (dialog), "answer", answer);
  g_signal_connect (dialog, "response", G_CALLBACK (answered_cb), user_data);
  gtk_window_present (GTK_WINDOW (dialog));
  return dialog;
}

void
dyno_compat_allow_answer (GtkWidget *question, gboolean allow)
{
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (question), "save", allow);
}

void
dyno_compat_present_message (GtkWidget *widget, const char *heading, const char *body)
{
#if ADW_CHECK_VERSION(1, 5, 0)
  AdwDialog *dialog;

  G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* newer than the oldest that is supported */
  dialog = adw_alert_dialog_new (heading, body);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"));
  adw_dialog_present (dialog, widget);
  G_GNUC_END_IGNORE_DEPRECATIONS
#else
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, heading, body);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
#endif
}

#if ADW_CHECK_VERSION(1, 8, 0)
G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* newer than the oldest that is supported */

/* Reads the definition of the older window, which has groups of shortcuts. */
typedef struct
{
  AdwShortcutsDialog *dialog;
  AdwShortcutsSection *section;
  gboolean is_shortcut;
  const char *texts[3]; /* of the shortcut: interned, as are the names of the properties */
  int property;
} ShortcutsReader;

static const char *const shortcut_properties[] = { "title", "accelerator", "action-name" };

static void
start_element_cb (GMarkupParseContext *context,
                  const char *element,
                  const char **names,
                  const char **values,
                  gpointer data,
                  GError **error)
{
  ShortcutsReader *reader = data;

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (element, "object") && g_str_equal (names[i], "class"))
      {
        reader->is_shortcut = g_str_equal (values[i], "GtkShortcutsShortcut");
        memset (reader->texts, 0, sizeof reader->texts);
      }
    else if (g_str_equal (element, "property") && g_str_equal (names[i], "name"))
      for (guint k = 0; k < G_N_ELEMENTS (shortcut_properties); k++)
        if (g_str_equal (values[i], shortcut_properties[k]))
          reader->property = (int)k;
}

static void
text_cb (GMarkupParseContext *context, const char *contents, gsize length, gpointer data, GError **error)
{
  ShortcutsReader *reader = data;
  g_autofree char *text = g_strndup (contents, length);

  if (reader->property < 0)
    return;
  reader->texts[reader->property] = g_intern_string (
      reader->property == 0 ? g_dpgettext2 (GETTEXT_PACKAGE, "shortcut window", text) : text);
  if (reader->is_shortcut)
    return;
  reader->section = adw_shortcuts_section_new (reader->texts[0]);
  adw_shortcuts_dialog_add (reader->dialog, reader->section);
}

static void
end_element_cb (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  ShortcutsReader *reader = data;

  reader->property = -1;
  if (!g_str_equal (element, "object") || !reader->is_shortcut)
    return;
  adw_shortcuts_section_add (reader->section,
                             reader->texts[2] != NULL
                                 ? adw_shortcuts_item_new_from_action (reader->texts[0], reader->texts[2])
                                 : adw_shortcuts_item_new (reader->texts[0], reader->texts[1]));
  reader->is_shortcut = FALSE;
}

static void
show_shortcuts_cb (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  static const GMarkupParser parser = { start_element_cb, end_element_cb, text_cb };
  const char *resource = g_object_get_data (G_OBJECT (action), "resource");
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  ShortcutsReader reader = { ADW_SHORTCUTS_DIALOG (adw_shortcuts_dialog_new ()), .property = -1 };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reader, NULL);

  g_markup_parse_context_parse (context, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes),
                                NULL);
  adw_dialog_present (ADW_DIALOG (reader.dialog), window);
}

G_GNUC_END_IGNORE_DEPRECATIONS
#endif

void
dyno_compat_set_help_overlay (GtkApplicationWindow *window, const char *resource)
{
#if ADW_CHECK_VERSION(1, 8, 0)
  g_autoptr (GSimpleAction) action = g_simple_action_new ("show-help-overlay", NULL);

  g_object_set_data_full (G_OBJECT (action), "resource", g_strdup (resource), g_free);
  g_signal_connect_object (action, "activate", G_CALLBACK (show_shortcuts_cb), window, 0);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
#else
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (resource);
  GObject *overlay = gtk_builder_get_object (builder, "help_overlay");

  gtk_application_window_set_help_overlay (window, GTK_SHORTCUTS_WINDOW (overlay));
#endif
}

static void
uri_shown_cb (GObject *parent, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gtk_show_uri_full_finish (GTK_WINDOW (parent), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
dyno_compat_show_file_async (GtkWindow *parent,
                             const char *path,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task;
  g_autofree char *uri = NULL;

  g_return_if_fail (GTK_IS_WINDOW (parent));
  g_return_if_fail (g_path_is_absolute (path));

  task = g_task_new (parent, NULL, callback, user_data);
  g_task_set_source_tag (task, dyno_compat_show_file_async);
  uri = g_filename_to_uri (path, NULL, NULL);
  gtk_show_uri_full (parent, uri, GDK_CURRENT_TIME, NULL, uri_shown_cb, task);
}

gboolean
dyno_compat_show_file_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
dyno_compat_can_announce (void)
{
#if GTK_CHECK_VERSION(4, 14, 0)
  return TRUE;
#else
  return FALSE;
#endif
}

gboolean
dyno_compat_announce (GtkWidget *widget, const char *text)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

#if GTK_CHECK_VERSION(4, 14, 0)
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* newer than the oldest that is supported */
  g_autoptr (GObject) context = (GObject *)gtk_accessible_get_at_context (GTK_ACCESSIBLE (widget));

  /* The one for tests cannot announce, and GTK 4.18 calls it all the same. */
  if (context != NULL && !g_str_equal (G_OBJECT_TYPE_NAME (context), "GtkTestATContext"))
    gtk_accessible_announce (GTK_ACCESSIBLE (widget), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  G_GNUC_END_IGNORE_DEPRECATIONS
#endif
  return dyno_compat_can_announce ();
}

void
dyno_compat_present_about (GtkWindow *parent, const char *debug_info)
{
  static const char *const developers[] = { "The Dyno developers", NULL };
  GtkWidget *about = g_object_new (
      ADW_TYPE_ABOUT_WINDOW, "transient-for", parent, "application-icon", APP_ID, "application-name",
      _ ("Dyno"), "version", PACKAGE_VERSION, "developer-name", _ ("The Dyno developers"), "developers",
      developers, "license-type", GTK_LICENSE_GPL_3_0, "comments", _ ("Benchmark AI models on your machine"),
      "debug-info", debug_info, "debug-info-filename", "dyno-debug-info.txt",
      /* Translators: your name, perhaps with an address; one per line */
      "translator-credits", _ ("translator-credits"), NULL);

  gtk_window_present (GTK_WINDOW (about));
}
