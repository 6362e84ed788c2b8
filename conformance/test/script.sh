# For test scripts, which source it.

fail() { echo "FAIL: $*" >&2; exit 1; }

# gated_worker FILE GATE BYTES COMMAND…: writes FILE, a worker that is COMMAND. While the FIFO GATE is
# there, it gets BYTES of its orders and no more, and says so at the GATE: a run is then in its midst,
# however fast the machine is. GATE is a word of the worker's shell.
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

# reached GATE PID: waits until a worker stands at it. That the process ends before is a failure.
reached() {
  read -r _ <"$1" &
  wait -n $! "$2" || true
  ! kill $! 2>/dev/null || fail "process $2 ended before its worker came to $1"
}
