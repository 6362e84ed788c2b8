# Sourced by test scripts.

fail() { echo "FAIL: $*" >&2; exit 1; }

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
