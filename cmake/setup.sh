# Set-up shared by ./conform and ./check; sourced, from the project's root, on Debian 12 or 13.
#
#   need PACKAGE…     installs the Debian packages that are missing
#   build [TARGET…]   configures, and builds those targets, or everything, into build/
#   pin_lavapipe      chooses Mesa's CPU Vulkan driver, unless the caller already chose a driver

set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 3; }

build_packages=(
  g++ cmake ninja-build
  directx-headers-dev libvkd3d-dev libvulkan-dev mesa-vulkan-drivers
  libcli11-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
)

need() {
  command -v dpkg-query >/dev/null || die "this set-up knows Debian 12 and 13; elsewhere install
the packages listed in cmake/setup.sh by your own means and use the CMake presets"
  local missing=() package
  for package in "$@"; do
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

build() {
  local jobs
  jobs=$(nproc)
  if [ ! -f build/build.ninja ]; then
    cmake --preset linux >build-configure.log 2>&1 ||
      { cat build-configure.log >&2; die "could not configure (build-configure.log)"; }
    rm -f build-configure.log
  fi
  say "building (minutes the first time)"
  cmake --build build -j "$jobs" ${1:+--target "$@"} -- --quiet >&2 || die "could not build"
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
