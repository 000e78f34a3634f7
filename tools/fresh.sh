#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/fresh.sh RELEASE MIRROR VERB…
# Runs verbs of ./dev in a minimal Debian made for that, and removes it again; MIRROR may be empty. Without root or a
# network it is skipped with the exit status 77; whatever else is in the way is an error. One line says which.
#
# All of it happens in mount and process namespaces of its own. Their first process dies with this script, and then the
# kernel ends every process in there and undoes the mounts, however this script itself came to its end.
set -euo pipefail

skipped=77
base=${TMPDIR:-/var/tmp}

say() { printf 'fresh: %s\n' "$*" >&2; }

# What apt says where there is no network. A mirror that answers, but wrongly, is an error.
offline='Temporary failure resolving|Could not resolve|Network is unreachable|(Could not|Unable to) connect|[Cc]onnection (timed out|refused)'

skip() {
  say "no fresh Debian was made: $*"
  exit $skipped
}

give_up() {
  say "no fresh Debian can be made here: $*"
  exit 1
}

# --- inside the namespaces ------------------------------------------------------------------------------

# What apt is told here about fetching: proxies, certificates, checks. The rest of its settings is this machine's own.
print_apt_settings() {
  apt-config dump Acquire |
    sed -E '/^Acquire( |::(IndexTargets|Languages|Changelogs|CompressionTypes|cdrom)\b)/d'
}

make_root() { # ROOT RELEASE MIRROR
  print_apt_settings >"$folder/apt.conf"
  LC_ALL=C mmdebstrap --mode=root --variant=minbase --format=directory --aptopt="$folder/apt.conf" "$2" "$1" ${3:+"$3"} \
    >"$folder/log" 2>&1 </dev/null && return
  ! grep -qE "$offline" "$folder/log" || skip "there is no network: $(grep -m 1 -E "$offline" "$folder/log")"
  give_up "$(grep -m 1 '^E: ' "$folder/log" || tail -n 1 "$folder/log")"
}

copy_if_there() { # FILE-OR-FOLDER COPY
  [ -e "$1" ] || return 0
  mkdir -p "${2%/*}"
  rm -rf "$2"
  cp -rL "$1" "$2"
}

# How programs reach the network here: names, certificates, and what package clients are told.
copy_site() { # ROOT
  local path
  for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /usr/local/share/ca-certificates \
    /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/pip.conf /etc/npmrc; do
    copy_if_there "$path" "$1$path"
  done
  for path in .config/pip .pip .npmrc .netrc; do
    copy_if_there "${HOME:-/root}/$path" "$1/root/$path"
  done
}

# The files that git tracks or would track: nothing that was built or fetched.
list_files() {
  git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard --deduplicate
}

copy_tree() { # FOLDER
  mkdir -p "$1"
  list_files |
    while IFS= read -r -d '' file; do
      if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
    done |
    tar -c --null --files-from=- | tar -x -C "$1" --no-same-owner
}

mount_devices() { # FOLDER
  local node
  mount -t tmpfs -o mode=755,nosuid tmpfs "$1"
  for node in null zero full random urandom tty; do
    touch "$1/$node"
    mount --bind "/dev/$node" "$1/$node"
  done
  mkdir "$1/pts" "$1/shm"
  mount -t devpts -o newinstance,mode=620,ptmxmode=666 devpts "$1/pts"
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$1/shm"
  ln -s pts/ptmx "$1/ptmx"
  ln -s /proc/self/fd "$1/fd"
  ln -s fd/0 "$1/stdin"
  ln -s fd/1 "$1/stdout"
  ln -s fd/2 "$1/stderr"
}

# Of the environment only what says how to reach the network, and that this is a build service.
print_variables() {
  local name
  for name in $(compgen -e); do
    case ${name,,} in
      *_proxy | ssl_cert_* | *_ca_bundle | *_ca_certs | pip_* | npm_config_* | ci) printf '%s=%s\0' "$name" "${!name}" ;;
    esac
  done
}

enter() { # ROOT COMMAND…
  local root=$1 variables
  shift
  mapfile -d '' -t variables < <(print_variables)
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" "${variables[@]}" "$@" \
    </dev/null
}

inside() { # FOLDER RELEASE MIRROR VERB…
  local folder=$1 release=$2 root=$1/root verb status
  make_root "$root" "$release" "$3"
  say "$release: a minimal system was made in $SECONDS s"
  shift 3
  copy_site "$root"
  copy_tree "$root/root/dyno"
  # Unless the packages are made in there, those that were made here are tested.
  [ "$1" != autopkgtest ] || copy_if_there out/packages "$root/root/dyno/out/packages"
  mount --bind "$root" "$root" # so that tests may make mount namespaces in there
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
  mount_devices "$root/dev"
  for verb in "$@"; do
    SECONDS=0 status=0
    enter "$root" /root/dyno/dev "$verb" || status=$?
    say "$release: ./dev $verb ended with $status after $SECONDS s"
    [ $status = 0 ] || exit 1
  done
}

# --- outside --------------------------------------------------------------------------------------------

is_offline() {
  LC_ALL=C apt-get -q update 2>&1 | grep -E "$offline" >/dev/null
}

check_needs() {
  local tool
  [ "$(id -u)" = 0 ] || skip 'only root may do that.'
  for tool in mmdebstrap unshare setpriv flock chroot git; do
    command -v "$tool" >/dev/null && continue
    ! is_offline || skip "there is no network to install $tool from."
    give_up "$tool is not installed."
  done
  unshare --mount --pid --fork --mount-proc true 2>/dev/null || give_up 'namespaces are not permitted.'
  list_files >/dev/null 2>&1 || give_up 'this is no checkout of git, which knows the files to copy.'
}

# What a run that was killed could not remove; whoever still runs holds a lock.
remove_remains() {
  local remains
  for remains in "$base"/dyno-fresh.*; do
    [ ! -d "$remains" ] || flock --nonblock "$remains" rm -rf "$remains" || true
  done
}

# Ends the namespaces' first process and waits: it is gone only after all the others are.
clean_up() {
  local first
  trap '' INT TERM HUP
  if [ -n "$namespaces" ]; then
    first=$(cat "/proc/$namespaces/task/$namespaces/children" 2>/dev/null) || first=
    kill -KILL ${first:-"$namespaces"} 2>/dev/null || true
    wait "$namespaces" 2>/dev/null || true
  fi
  [ -z "$folder" ] || rm -rf --one-file-system "$folder"
}

outside() { # RELEASE MIRROR VERB…
  local status=0
  folder= namespaces=
  trap clean_up EXIT
  trap 'exit 130' INT TERM HUP
  check_needs
  remove_remains
  folder=$(mktemp -d "$base/dyno-fresh.XXXXXX")
  exec {lock}<"$folder"
  flock "$lock"
  setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
    bash tools/fresh.sh inside "$folder" "$@" {lock}<&- &
  namespaces=$!
  wait "$namespaces" || status=$?
  return $status
}

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
case $1 in
  inside) "$@" ;;
  *) outside "$@" ;;
esac
