# Sourced by test scripts.

fail() { echo "FAIL: $*" >&2; exit 1; }

# scratch: makes a temporary folder, $work, the current one until the script ends.
scratch() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
}

# expect STATUS ARGUMENT…: $dmlcts, or $program, ends with that status; its output goes to the file
# output.
expect() {
  local status=0 wanted=$1
  shift
  "${program:-$dmlcts}" "$@" >output 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { tail -n 40 output >&2; fail "status $status, not $wanted: $*"; }
}

# says TEXT [FILE]: the file, or the last output, contains the text.
says() {
  grep -qF -- "$1" "${2:-output}" || { tail -n 40 "${2:-output}" >&2; fail "no \"$1\" in ${2:-the output}"; }
}

# gated_worker FILE GATE BYTES COMMAND…: writes FILE, a worker that runs COMMAND. While the FIFO
# GATE exists, the worker gets only BYTES of its orders and reports at GATE, so that a run is in
# progress on any machine. GATE is expanded by the worker's shell.
gated_worker() {
  local file=$1 gate=$2 bytes=$3
  shift 3
  cat >"$file" <<SH
#!/bin/sh
[ -p $gate ] || exec ${*@Q}
{
  stdbuf -o0 head -c $bytes
  echo >$gate
  exec tail -f /dev/null
} | ${*@Q}
SH
  chmod +x "$file"
}

# reached GATE PID: waits until a worker reports at GATE. Fails if the process ends before.
reached() {
  read -r _ <"$1" &
  wait -n $! "$2" || true
  ! kill $! 2>/dev/null || fail "process $2 ended before its worker came to $1"
}
