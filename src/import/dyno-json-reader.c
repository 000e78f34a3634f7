/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-import-private.h"
#include "dyno-json.h"

/* The same limit as in dyno_json_text_is_shallow(): a recursive parser must not run out of stack. */
#define MAX_DEPTH 500

/* Digits of a number that certainly fit a double. */
#define LONGEST_NUMBER 300

/* Digits of a longer number that a message shows. */
#define MAX_SHOWN 40

/* The position of the reader. */
typedef enum
{
  OUTSIDE, /* before a value of the file */
  IN_OBJECT,
  IN_ARRAY,
  IN_MEMBER, /* in an array that is a member of the object */
} Place;

typedef struct
{
  Place place;
  gboolean is_first; /* whether nothing of the array or object has been read */
  char *member;
} Level;

struct _DynoJsonReader
{
  DynoImportFile *file;
  char *apart; /* the member of the outer object whose elements are split as well; nullable */
  gsize max_piece;
  gboolean allows_open;
  gboolean allows_several;
  Level levels[2]; /* of the outer object, and of an inner one that is split */
  guint depth;
  guint n_documents;
  guint n_elements;
};

static int
skip_space (DynoImportFile *file)
{
  int c = dyno_import_file_peek (file);

  while (c == ' ' || c == '\t' || c == '\r' || c == '\n')
    {
      dyno_import_file_next (file);
      c = dyno_import_file_peek (file);
    }
  return c;
}

static gboolean
complain (DynoImportFile *file, GError **error, const char *expected)
{
  int c = dyno_import_file_peek (file);

  if (dyno_import_file_has_failed (file, error))
    return FALSE;
  if (c < 0)
    dyno_import_file_set_error (error, dyno_import_file_get_line (file), _ ("The JSON ends too early."));
  else
    dyno_import_file_set_error (error, dyno_import_file_get_line (file), _ ("%s is expected in the JSON."),
                                expected);
  return FALSE;
}

/* The text of a value */

typedef struct
{
  DynoImportFile *file;
  GString *text;
  gsize max_length;
  guint depth;
  gboolean in_string;
} Scan;

static gboolean
check_size (Scan *scan, GError **error)
{
  guint line = dyno_import_file_get_line (scan->file);

  if (scan->depth > MAX_DEPTH)
    dyno_import_file_set_error (error, line, _ ("The JSON is nested too deeply to be read."));
  else if (scan->text->len > scan->max_length)
    dyno_import_file_set_error (error, line, _ ("A value of the JSON is larger than %d MB."),
                                (int)(scan->max_length / 1000000));
  else
    return TRUE;
  return FALSE;
}

static gboolean
scan_string (Scan *scan, GError **error)
{
  int c;

  scan->in_string = TRUE;
  while ((c = dyno_import_file_next (scan->file)) >= 0)
    {
      g_string_append_c (scan->text, (char)c);
      if (c == '"')
        break;
      if (c == '\\' && (c = dyno_import_file_next (scan->file)) >= 0)
        g_string_append_c (scan->text, (char)c);
      if (!check_size (scan, error))
        return FALSE;
    }
  scan->in_string = FALSE;
  return c == '"' || complain (scan->file, error, "“\"”");
}

/* Returns the position after the string that begins at @text. */
static const char *
skip_string (const char *text)
{
  for (text++; *text != '\0' && *text != '"'; text++)
    if (text[0] == '\\' && text[1] != '\0')
      text++;
  return *text == '"' ? text + 1 : text;
}

/* A parser reads 1e999 as infinity, which cannot be written as JSON again. */
static gboolean
check_numbers (const char *text, guint line, GError **error)
{
  while (*text != '\0')
    {
      gsize length = strspn (text, "+-.0123456789eE");
      gboolean may_overflow =
          length > LONGEST_NUMBER || memchr (text, 'e', length) != NULL || memchr (text, 'E', length) != NULL;

      if (may_overflow && !isfinite (g_ascii_strtod (text, NULL)))
        {
          g_autofree char *shown = g_strndup (text, MIN (length, MAX_SHOWN));

          dyno_import_file_set_error (error, line, _ ("“%s” is too large for a number."), shown);
          return FALSE;
        }
      line += *text == '\n';
      text = *text == '"' ? skip_string (text) : text + MAX (length, 1);
    }
  return TRUE;
}

/* Python writes these without quotes, which is not JSON; a record recognises them as texts. */
static char *
quote_words (const char *text)
{
  static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
  GString *quoted = g_string_new (NULL);

  while (*text != '\0')
    {
      gsize word = 0, length;

      for (guint i = 0; i < G_N_ELEMENTS (words) && word == 0; i++)
        word = g_str_has_prefix (text, words[i]) ? strlen (words[i]) : 0;
      length = *text == '"' ? (gsize)(skip_string (text) - text) : MAX (word, 1);
      if (word > 0)
        g_string_append_printf (quoted, "\"%.*s\"", (int)word, text);
      else
        g_string_append_len (quoted, text, (gssize)length);
      text += length;
    }
  return g_string_free (quoted, FALSE);
}

static JsonNode *
parse (const char *text, gsize length, guint line, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) local_error = NULL;
  g_autofree char *quoted = NULL;
  const char *reason;

  if (!dyno_import_file_check_text (text, length, line, error) || !check_numbers (text, line, error))
    return NULL;
  quoted = quote_words (text);
  if (dyno_json_text_load (parser, quoted, strlen (quoted), &local_error) &&
      json_parser_get_root (parser) != NULL)
    return json_parser_steal_root (parser);
  /* The parser counts its own lines, and puts them before the message. */
  reason = local_error != NULL ? strstr (local_error->message, ": ") : NULL;
  dyno_import_file_set_error (error, line + (guint)MAX (json_parser_get_current_line (parser), 1) - 1,
                              _ ("This is not valid JSON: %s."),
                              reason != NULL ? reason + 2 : _ ("it is empty"));
  return NULL;
}

static void
take_source (DynoJsonPiece *piece, char *text, JsonNode *root)
{
  piece->source = dyno_json_source_new (text, piece->line, root);
  piece->node = json_node_ref (root);
}

static gboolean
read_value (DynoImportFile *file, gsize max_length, DynoJsonPiece *piece, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Scan scan = { .file = file, .text = text, .max_length = max_length };
  JsonNode *root;
  int c;

  skip_space (file);
  piece->line = dyno_import_file_get_line (file);

  /* This only finds the end of the value; the parser decides whether it is JSON. */
  c = skip_space (file);
  while (c >= 0 && !(scan.depth == 0 && !scan.in_string && text->len > 0 &&
                     (c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == '\n')))
    {
      if (scan.depth == 0 && (c == ']' || c == '}' || c == ','))
        return complain (file, error, _ ("A value"));
      g_string_append_c (text, (char)dyno_import_file_next (file));
      if (c == '"' && !scan_string (&scan, error))
        return FALSE;
      scan.depth += c == '[' || c == '{';
      if ((c == ']' || c == '}') && --scan.depth == 0)
        break;
      if (!check_size (&scan, error))
        return FALSE;
      c = dyno_import_file_peek (file);
    }
  if (dyno_import_file_has_failed (file, error))
    return FALSE;
  if (scan.depth != 0 || text->len == 0)
    return complain (file, error, _ ("A value"));
  root = parse (text->str, text->len, piece->line, error);
  if (root != NULL)
    take_source (piece, g_string_free (g_steal_pointer (&text), FALSE), root);
  return root != NULL;
}

DynoRecord *
dyno_json_reader_parse_line (const char *text, guint line, GError **error)
{
  g_auto (DynoJsonPiece) piece = { .line = line };
  JsonNode *root;

  if (!dyno_json_text_is_shallow (text, strlen (text)))
    {
      dyno_import_file_set_error (error, line, _ ("The JSON is nested too deeply to be read."));
      return NULL;
    }
  root = parse (text, strlen (text), line, error);
  if (root == NULL)
    return NULL;
  take_source (&piece, g_strdup (text), root);
  return dyno_json_piece_to_record (&piece, error);
}

static DynoRecord *
read_object (DynoImportFile *file, GError **error)
{
  g_auto (DynoJsonPiece) piece = { 0 };

  return read_value (file, DYNO_IMPORT_MAX_PIECE, &piece, error) ? dyno_json_piece_to_record (&piece, error)
                                                                 : NULL;
}

/* A reader of one value must notice other data that was appended to the file. */
static gboolean
check_end (DynoImportFile *file, GError **error)
{
  int c = skip_space (file);
  guint line = dyno_import_file_get_line (file);

  if (c == '[' || c == '{')
    dyno_import_file_set_error (error, line, _ ("A second JSON value begins here. Split the file."));
  else if (c >= 0)
    dyno_import_file_set_error (error, line, _ ("Something that is no JSON follows here."));
  return c < 0 && !dyno_import_file_has_failed (file, error);
}

DynoRecord *
dyno_json_reader_read_record (DynoImportFile *file, GError **error)
{
  g_autoptr (DynoRecord) record = read_object (file, error);

  return record != NULL && check_end (file, error) ? g_steal_pointer (&record) : NULL;
}

/* The pieces */

DynoJsonReader *
dyno_json_reader_new (DynoImportFile *file)
{
  return dyno_json_reader_new_apart (file, NULL, DYNO_IMPORT_MAX_PIECE);
}

DynoJsonReader *
dyno_json_reader_new_apart (DynoImportFile *file, const char *member, gsize max_piece)
{
  DynoJsonReader *self = g_new0 (DynoJsonReader, 1);

  self->file = file;
  self->apart = g_strdup (member);
  self->max_piece = max_piece;
  return self;
}

void
dyno_json_reader_allow_open (DynoJsonReader *self)
{
  self->allows_open = TRUE;
}

void
dyno_json_reader_allow_several (DynoJsonReader *self)
{
  self->allows_several = TRUE;
}

void
dyno_json_reader_free (DynoJsonReader *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->levels); i++)
    g_free (self->levels[i].member);
  g_free (self->apart);
  g_free (self);
}

void
dyno_json_piece_clear (DynoJsonPiece *self)
{
  g_clear_pointer (&self->member, g_free);
  g_clear_pointer (&self->node, json_node_unref);
  g_clear_pointer (&self->source, dyno_json_source_unref);
}

static Level *
get_level (DynoJsonReader *self)
{
  return &self->levels[self->depth];
}

static gboolean
may_end (DynoJsonReader *self)
{
  return self->allows_open && get_level (self)->place == IN_ARRAY && skip_space (self->file) < 0;
}

/* Steps over the separator between two values; @is_over if @end closes them. */
static gboolean
goes_on (DynoJsonReader *self, char end, GError **error, gboolean *is_over)
{
  Level *level = get_level (self);
  int c = skip_space (self->file);
  gboolean was_first = level->is_first;

  level->is_first = FALSE;
  *is_over = c == end || may_end (self);
  if (c == end)
    dyno_import_file_next (self->file);
  if (*is_over || (was_first && c >= 0))
    return TRUE;
  if (c != ',')
    return complain (self->file, error, end == ']' ? _ ("A “,” or “]”") : _ ("A “,” or “}”"));
  dyno_import_file_next (self->file);
  *is_over = may_end (self);
  return TRUE;
}

static gboolean
read_member_name (DynoJsonReader *self, GError **error)
{
  g_autoptr (JsonNode) name = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  Scan scan = { .file = self->file, .text = text, .max_length = self->max_piece };
  guint line;

  if (skip_space (self->file) != '"')
    return complain (self->file, error, _ ("The name of a member"));
  line = dyno_import_file_get_line (self->file);
  g_string_append_c (text, (char)dyno_import_file_next (self->file));
  if (!scan_string (&scan, error))
    return FALSE;
  name = parse (text->str, text->len, line, error);
  if (name == NULL)
    return FALSE;
  if (skip_space (self->file) != ':')
    return complain (self->file, error, "“:”");
  dyno_import_file_next (self->file);
  g_free (get_level (self)->member);
  get_level (self)->member = json_node_dup_string (name);
  return TRUE;
}

static void
enter (DynoJsonReader *self, Place place)
{
  dyno_import_file_next (self->file);
  get_level (self)->place = place;
  get_level (self)->is_first = TRUE;
}

static gboolean
advance_in_object (DynoJsonReader *self, gboolean *is_there, GError **error)
{
  gboolean is_over = FALSE;

  if (!goes_on (self, '}', error, &is_over) || (!is_over && !read_member_name (self, error)))
    return FALSE;
  if (is_over && self->depth > 0)
    self->depth--;
  else if (is_over)
    get_level (self)->place = OUTSIDE;
  else if (skip_space (self->file) == '[')
    enter (self, IN_MEMBER);
  else
    *is_there = TRUE;
  return TRUE;
}

/* Goes to the next piece; @is_there is whether there is one. */
static gboolean
advance (DynoJsonReader *self, gboolean *is_there, GError **error)
{
  int c;

  *is_there = FALSE;
  switch (get_level (self)->place)
    {
    case IN_ARRAY:
    case IN_MEMBER:
      {
        Level *level = get_level (self);
        gboolean is_over = FALSE;

        if (!goes_on (self, ']', error, &is_over))
          return FALSE;
        if (is_over)
          level->place = level->place == IN_ARRAY ? OUTSIDE : IN_OBJECT;
        else if (self->depth == 0 && level->place == IN_MEMBER &&
                 g_strcmp0 (self->apart, level->member) == 0 && skip_space (self->file) == '{')
          {
            self->depth++;
            self->n_elements++;
            enter (self, IN_OBJECT);
          }
        else
          *is_there = TRUE;
        return TRUE;
      }
    case IN_OBJECT:
      return advance_in_object (self, is_there, error);
    case OUTSIDE:
    default:
      c = skip_space (self->file);
      self->n_documents++;
      if (c != '[' && c != '{')
        return complain (self->file, error, _ ("A “[” or “{”"));
      enter (self, c == '[' ? IN_ARRAY : IN_OBJECT);
      return TRUE;
    }
}

gboolean
dyno_json_reader_next (DynoJsonReader *self, DynoJsonPiece *piece, GError **error)
{
  gboolean is_there = FALSE;

  dyno_json_piece_clear (piece);
  while (!is_there)
    {
      gboolean is_outside = get_level (self)->place == OUTSIDE;

      if (is_outside && skip_space (self->file) < 0)
        return !dyno_import_file_has_failed (self->file, error);
      if (is_outside && self->n_documents > 0 && !self->allows_several)
        return check_end (self->file, error);
      if (!advance (self, &is_there, error))
        return FALSE;
    }
  piece->document = self->n_documents - 1;
  piece->element = self->depth > 0 ? self->n_elements : 0;
  piece->is_element = get_level (self)->place == IN_MEMBER;
  piece->member = get_level (self)->place == IN_ARRAY ? NULL : g_strdup (get_level (self)->member);
  return read_value (self->file, self->max_piece, piece, error);
}

DynoRecord *
dyno_json_piece_to_record (const DynoJsonPiece *self, GError **error)
{
  if (JSON_NODE_HOLDS_OBJECT (self->node))
    return dyno_record_new_from_json (self->source, json_node_get_object (self->node));
  dyno_import_file_set_error (error, self->line, _ ("A JSON object is expected here."));
  return NULL;
}

DynoRecord *
dyno_json_reader_read_beside (DynoImportFile *file, const char *name)
{
  const char *folder = dyno_import_file_get_folder (file);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
  g_autoptr (DynoImportFile) beside =
      path != NULL ? dyno_import_file_open (path, NULL, NULL, NULL, NULL) : NULL;

  return beside != NULL ? dyno_json_reader_read_record (beside, NULL) : NULL;
}

gboolean
dyno_json_reader_read_lines (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error)
{
  while (skip_space (file) >= 0)
    {
      g_autoptr (DynoRecord) record = read_object (file, error);

      if (record == NULL || !read (record, data, error))
        return FALSE;
    }
  return !dyno_import_file_has_failed (file, error);
}

gboolean
dyno_json_reader_read_elements (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error)
{
  g_autoptr (DynoJsonReader) reader = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };

  dyno_json_reader_allow_several (reader);
  while (dyno_json_reader_next (reader, &piece, error))
    {
      g_autoptr (DynoRecord) record = NULL;

      if (piece.node == NULL)
        return TRUE;
      record = dyno_json_piece_to_record (&piece, error);
      if (record == NULL || !read (record, data, error))
        return FALSE;
    }
  return FALSE;
}
