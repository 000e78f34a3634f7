#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A .dyno document is known by its name, and without it by its first bytes; another SQLite file is not one.
set -eu
package=$1
export XDG_DATA_HOME=$2
rm -rf "$XDG_DATA_HOME"
mkdir -p "$XDG_DATA_HOME/mime/packages"
cp "$package" "$XDG_DATA_HOME/mime/packages/"
update-mime-database "$XDG_DATA_HOME/mime"

sqlite_file() { # APPLICATION-ID, four octal escapes
  printf 'SQLite format 3\000'
  head -c 52 /dev/zero
  printf '%b' "$1"
  head -c 28 /dev/zero
}

type_of() { # FILE
  gio info -a standard::content-type "$1" | sed -n 's/ *standard::content-type: //p'
}

expect() { # FILE TYPE
  found=$(type_of "$1")
  [ "$found" = "$2" ] || { echo "$1 is taken for “$found”, not “$2”." >&2; exit 1; }
}

sqlite_file '\0104\0171\0156\0157' >"$XDG_DATA_HOME/unnamed"
sqlite_file '\0000\0000\0000\0000' >"$XDG_DATA_HOME/other"
sqlite_file '\0104\0171\0156\0157' >"$XDG_DATA_HOME/named.dyno"
expect "$XDG_DATA_HOME/unnamed" application/x-dyno
expect "$XDG_DATA_HOME/other" application/vnd.sqlite3
expect "$XDG_DATA_HOME/named.dyno" application/x-dyno
