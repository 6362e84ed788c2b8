# Hosts for tests: sshds on loopback, each with a folder of its own. Sourced, by a script that has
# $tmp, an empty folder of its own, and fail.
#
#   start_hosts NAME…    then `ssh -F $tmp/ssh-config NAME COMMAND` runs in $tmp/NAME
#   stop_sshd PID        of ${sshds[@]}: the host is gone; what it runs goes on
#   processes_of FOLDER  the processes that run in it
#   stop_hosts           and whatever runs in $tmp

sshd=$(PATH=$PATH:/usr/sbin command -v sshd) ||
  fail "sshd is missing: install openssh-server (./check does)"
for tool in ssh ssh-keygen parallel rsync; do
  command -v "$tool" >/dev/null ||
    fail "$tool is missing: install openssh-client, parallel and rsync (./check does)"
done
[[ $(parallel --version | sed -n 1p) == 'GNU parallel'* ]] || fail "parallel is not GNU parallel"

export PARALLEL_HOME=$tmp/parallel-home
mkdir "$PARALLEL_HOME"
sshds=()

# The processes of a host, by their working folder, into which sshd puts each command.
processes_of() {
  find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' \( -lname "$1" -o -lname "$1/*" \) \
    -printf '%h\n' 2>/dev/null | sed 's,/proc/,,' || true
}

# An sshd, and those it forked for connections.
stop_sshd() {
  local pid=$1 child
  for child in $(cat "/proc/$pid/task/$pid/children" 2>/dev/null || true); do
    kill -KILL "$child" 2>/dev/null || true
  done
  kill -KILL "$pid" 2>/dev/null || true
}

start_sshd() {
  local host=$tmp/$1 port attempt pid
  mkdir "$host"
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + RANDOM % 10000))
    cat >"$host.conf" <<CONF
Port $port
ListenAddress 127.0.0.1
HostKey $tmp/host-key
PidFile none
AuthorizedKeysFile $tmp/authorized-keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
UsePAM no
MaxStartups 100
ForceCommand $tmp/enter $host
CONF
    : >"$host.log"
    "$sshd" -D -f "$host.conf" -E "$host.log" &
    pid=$!
    disown "$pid"  # so that bash does not tell of its end
    local waited
    for waited in {1..600}; do
      if grep -q 'Server listening' "$host.log"; then
        sshds+=("$pid")
        printf 'Host %s\n  HostName 127.0.0.1\n  Port %s\n' "$1" "$port" >>"$tmp/ssh-config"
        return
      fi
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.05
    done
    kill -KILL "$pid" 2>/dev/null || true
  done
  cat "$host.log" >&2
  fail "sshd does not start"
}

# Here-documents end at the margin.
start_hosts() {
  local host
  ssh-keygen -q -t ed25519 -N '' -f "$tmp/host-key"
  ssh-keygen -q -t ed25519 -N '' -f "$tmp/user-key"
  cp "$tmp/user-key.pub" "$tmp/authorized-keys"
  if [ "$(id -u)" -eq 0 ]; then mkdir -p /run/sshd; fi  # or sshd refuses to start

  cat >"$tmp/enter" <<'SH'
#!/bin/sh
# What sshd runs instead of the command: the command, in the host's folder.
cd "$1" && exec sh -c "$SSH_ORIGINAL_COMMAND"
SH
  chmod +x "$tmp/enter"

  for host in "$@"; do start_sshd "$host"; done
  cat >>"$tmp/ssh-config" <<CONF
Host *
  User $(id -un)
  IdentityFile $tmp/user-key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $tmp/known-hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
CONF
  for host in "$@"; do
    [ "$(ssh -F "$tmp/ssh-config" "$host" pwd)" = "$tmp/$host" ] || fail "no ssh to $host"
  done
}

stop_hosts() {
  local pid
  cd /
  for pid in "${sshds[@]}"; do stop_sshd "$pid"; done
  for pid in $(processes_of "$tmp"); do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
}
