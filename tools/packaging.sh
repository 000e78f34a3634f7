# SPDX-License-Identifier: GPL-3.0-or-later
# Packages, images and releases: the part of ./dev that makes what people install. ./dev reads this file.

# --- packages -------------------------------------------------------------------------------------------

# What the distribution lacks goes into the source package: the header of ONNX Runtime.
copy_for_package() { # FOLDER
  mkdir -p "$1"
  tar -c --exclude=./.git --exclude='./build*' --exclude=./runtimes --exclude=./real-models --exclude=./out --exclude=./flatpak/sources \
    --exclude=__pycache__ . |
    tar -x -C "$1"
  copy_headers "$1"
}

copy_headers() { # FOLDER
  [ ! -d runtimes/include ] || { mkdir -p "$1/runtimes" && cp -r runtimes/include "$1/runtimes/"; }
}

setup_packaging() {
  packages+=(debhelper dpkg-dev help2man)
  need_apt
  setup_packages
  setup_headers
}

keep_packages() { # FOLDER
  rm -rf out/packages
  mkdir -p out/packages
  find "$1" -maxdepth 1 -type f -exec mv -t out/packages {} +
  ls -l out/packages
}

package() {
  local tree=$work/package/dyno
  packages+=(lintian)
  setup_packaging
  print_rows
  copy_for_package "$tree"
  (cd "$tree" && dpkg-buildpackage --no-sign)
  keep_packages "$work/package"
  lintian --fail-on error,warning out/packages/*.changes
}

# The image has what the package of the command line has, so both are of one release.
image() { # [NAME [ENGINE…]]
  local name=${1:-dyno} builder release
  [ $# = 0 ] || shift
  builder=$(command -v podman || command -v buildah || command -v docker) ||
    die 'nothing here builds images: install podman, buildah or docker.'
  package
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  "$builder" build -f Containerfile -t "$name" --build-arg "DEBIAN=$release" --build-arg "ENGINES=${*:-onnxruntime}" out/packages
}

autopkgtest_packages() {
  local changes=(out/packages/*.changes)
  [ -e "${changes[0]}" ] || die 'there are no packages: run “./dev package” first.'
  need_apt
  apt_update
  apt_install autopkgtest
  autopkgtest --apt-upgrade "${changes[0]}" -- null
}

# --- releases -------------------------------------------------------------------------------------------

# What “meson dist” packs depends on who packs it and when: the same files are packed again, with the commit's time.
make_tarball() { # CLONE VERSION OUTPUT
  local dist=$1/build/meson-dist
  meson setup "$1/build" "$1" -Dgui=disabled -Dman=disabled -Dmanual=disabled -Dtests=false
  meson dist -C "$1/build" --no-tests --formats gztar
  tar -xzf "$dist/dyno-$2.tar.gz" -C "$dist"
  tar -C "$dist" -c --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$(git -C "$1" log -1 --format=%ct)" "dyno-$2" | xz --threads=1 >"$3/dyno-$2.tar.xz"
}

# FOLDER/made has all: the tarball, and the list of parts and the packages that are made from it.
make_release() { # CHECKOUT FOLDER VERSION
  local made=$2/made tree=$2/dyno-$3
  mkdir -p "$made"
  git clone -q "$1" "$2/clone"
  copy_headers "$2/clone"
  make_tarball "$2/clone" "$3" "$made"
  tar -xJf "$made/dyno-$3.tar.xz" -C "$2"
  copy_headers "$tree"
  chmod -R u=rwX,go=rX "$tree"
  python3 tools/sbom.py make "$tree" >"$made/dyno-$3.cdx.json"
  (cd "$tree" && dpkg-buildpackage --no-sign)
  find "$2" -maxdepth 1 -type f -exec mv -t "$made" {} +
}

# Another folder, home, umask, time zone and language, as another person has them.
make_release_elsewhere() { # CHECKOUT FOLDER VERSION
  localedef -i tr_TR -f UTF-8 "$work/tr_TR.UTF-8" || say 'dev: without the package “locales”, the language is the same.'
  (
    umask 077
    mkdir -p "$2/home"
    export HOME=$2/home TZ=Far-14 LOCPATH=$work LC_ALL=tr_TR.UTF-8 LANGUAGE=tr
    make_release "$@"
  )
}

compare_releases() { # FOLDER FOLDER
  if python3 tools/release.py compare "$1" "$2"; then
    row 'Built twice' passed - 'tarball, list of parts and packages are the same byte for byte'
    return
  fi
  row 'Built twice' failed - 'see above for the files that differ'
  if command -v diffoscope >/dev/null || apt_install diffoscope-minimal; then
    diffoscope --exclude-directory-metadata=yes --exclude='*.changes' --exclude='*.buildinfo' "$1" "$2" | head -n 300
  else
    say 'dev: diffoscope, which shows how they differ, could not be installed.'
  fi
  return 1
}

check_packages() { # CHANGES
  if ! command -v lintian >/dev/null && ! apt_install lintian; then
    row Lintian skipped - 'it could not be installed'
  elif lintian --fail-on error,warning "$1"; then
    row Lintian passed "$(installed_version lintian)" 'no error and no warning'
  else
    row Lintian failed "$(installed_version lintian)" 'see above for its findings'
    return 1
  fi
}

# A library for Python brings the published schema; nothing of it is run.
check_parts() { # SBOM
  local library=cyclonedx-python-lib==11.12.0
  if ! python3 -c 'import jsonschema' 2>/dev/null || ! need_pip ||
    ! python3 -m pip install -q --no-deps --only-binary :all: --root-user-action ignore --target "$work/schema" "$library"; then
    python3 tools/sbom.py check "$1" || return 1
    row 'List of parts' skipped - "the schema in $library could not be fetched; only the required fields were checked"
  elif python3 tools/sbom.py check "$1" "$work/schema"; then
    row 'List of parts' passed 'CycloneDX 1.6' 'it follows the published schema'
  else
    row 'List of parts' failed 'CycloneDX 1.6' 'see above for its faults'
    return 1
  fi
}

# The packages in a system that has nothing else of Dyno.
check_installed() {
  local codename mirrors status=0
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")
  need_mmdebstrap
  mapfile -t mirrors < <(debian_mirrors 2>/dev/null)
  tools/fresh.sh "$codename" "${mirrors[0]:-}" autopkgtest || status=$?
  case $status in
    0) row Installed passed "$codename" 'debian/tests passed in a bare system' ;;
    77) row Installed skipped "$codename" 'no bare system could be made; see above for the reason' && status=0 ;;
    *) row Installed failed "$codename" 'see above for the output' ;;
  esac
  return $status
}

# The last release before this commit; before there was one, the last commit with an older schema of the store.
find_earlier() { # [COMMIT]
  local commit=${1:-}
  if [ -z "$commit" ] && ! commit=$(git describe --tags --match 'v*' --abbrev=0 HEAD^ 2>/dev/null); then
    say 'dev: there was no release yet; the last commit with an older store takes its place.'
    commit=$(git log -1 --format=%H^ -G'static const char version_[0-9]+\[\]' -- src/store/dyno-store-schema.c)
  fi
  git rev-parse -q --verify "$commit^{commit}" && return
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    say 'dev: this checkout has only the last commits: run “git fetch --unshallow” first.'
  else
    say "dev: this checkout has no commit “$commit”: name an earlier one."
  fi
  return 1
}

check_upgrade() { # BUILD-OR-ROOT COMMIT
  local folder=build-earlier/$2
  if [ ! -d "$folder" ]; then
    rm -rf build-earlier "$work/earlier"
    mkdir -p build-earlier "$work/earlier"
    git archive "$2" | tar -x -C "$work/earlier" || return 1
    copy_headers "$work/earlier"
    mv "$work/earlier" "$folder" || return 1
  fi
  say "dev: the earlier Dyno is $(git log -1 --format='%h of %cs, “%s”' "$2")."
  build_into "$folder/build" "$folder" --buildtype=debug -Dgui=disabled -Dman=disabled -Dmanual=disabled -Dtests=false || return 1
  python3 tools/upgrade.py "$folder/build" "$1" runtimes
}

upgrade() { # [COMMIT]
  local commit
  commit=$(find_earlier "$@")
  build
  check_upgrade build "$commit"
}

# Nothing that fails keeps the checks after it from being made; the table at the end has them all.
release() {
  local version tagged earlier made=$work/here/made status=0
  git rev-parse -q --verify HEAD >/dev/null 2>&1 || die 'a release is made of a commit: this is no checkout of git.'
  [ -z "$(git status --porcelain)" ] || die 'a release is made of a commit: commit or stash your changes first.'
  version=$(python3 tools/release.py check)
  tagged=$(git rev-parse -q --verify "v$version^{commit}" || true)
  [ "${tagged:-none}" = none ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
    die "$version was released already, from another commit: raise the version in meson.build first."
  setup_packaging
  setup_library
  print_rows
  rows=()
  row Version passed "$version" 'the same in meson.build, NEWS, CITATION.cff, debian/changelog and AppStream data'
  make_release . "$work/here" "$version"
  make_release_elsewhere "$work/here/clone" "$work/some/where/else" "$version"
  compare_releases "$made" "$work/some/where/else/made" || status=1
  check_packages "$made"/*.changes || status=1
  check_parts "$made/dyno-$version.cdx.json" || status=1
  rm -rf out/release
  mkdir -p out/release
  mv "$made/dyno-$version.tar.xz" "$made/dyno-$version.cdx.json" out/release/
  keep_packages "$made"
  (cd out/release && sha256sum -- * ../packages/* >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
  check_installed || status=1
  dpkg-deb -x out/packages/dyno-cli_*.deb "$work/root"
  glib-compile-schemas "$work/root/usr/share/glib-2.0/schemas"
  if earlier=$(find_earlier) && check_upgrade "$work/root" "$earlier"; then
    row Upgrade passed - 'a store of an earlier version was opened by this one and by that again, without a loss'
  else
    row Upgrade failed - 'see above for the reason'
    status=1
  fi
  print_rows
  return $status
}

# Libraries that GNOME's runtime lacks, as Debian 12 has their sources; the manifest says by hash which.
fetch_debian_sources() { # FOLDER
  local mirror
  for mirror in $(debian_mirrors); do
    download_sources "$mirror" bookworm "$work/sources" hwloc lm-sensors protobuf protobuf-c onnx || continue
    mv "$work/sources"/*.orig.tar.* "$1/"
    return
  done
  die 'no Debian mirror gave all the sources that flatpak/ needs.'
}

flatpak_bundle() {
  local manifest=flatpak/io.github.dynobench.Dyno.json sources=flatpak/sources id
  need_apt
  setup_headers
  mkdir -p "$sources"
  for id in onnxruntime openvino; do
    python3 tools/install-engine.py fetch "$id" "$sources"
  done
  [ -e "$sources/onnx_1.12.0.orig.tar.gz" ] || fetch_debian_sources "$sources"
  rm -rf "$sources/dyno"
  copy_for_package "$sources/dyno"
  command -v flatpak-builder >/dev/null || die "the sources are in $sources; to build them, install flatpak-builder."
  mkdir -p out
  flatpak-builder --force-clean --state-dir=out/flatpak/state --repo=out/flatpak/repo out/flatpak/build "$manifest"
  flatpak build-bundle out/flatpak/repo out/dyno.flatpak io.github.dynobench.Dyno
}
