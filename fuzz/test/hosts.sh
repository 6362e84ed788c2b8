# Hosts for tests: ssh to NAME runs in a separate folder, with one sshd per connection and no port.
# Sourced by scripts with an empty folder $tmp and a function fail.
#
#   start_hosts NAME…    then `ssh -F $tmp/ssh-config NAME COMMAND` runs in $tmp/NAME
#   stop_host NAME       stops the host; its processes go on
#   processes_of FOLDER  prints the processes that run in it
#   stop_hosts           stops all hosts and everything that runs in $tmp

sshd=$(PATH=$PATH:/usr/sbin command -v sshd) ||
  fail "sshd is missing: install openssh-server (./check does)"
for tool in ssh ssh-keygen parallel rsync; do
  command -v "$tool" >/dev/null ||
    fail "$tool is missing: install openssh-client, parallel and rsync (./check does)"
done
[[ $(parallel --version | sed -n 1p) == 'GNU parallel'* ]] || fail "parallel is not GNU parallel"

export PARALLEL_HOME=$tmp/parallel-home
mkdir "$PARALLEL_HOME"

# Finds a host's processes by their working folder, which sshd sets for each command.
processes_of() {
  find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' \( -lname "$1" -o -lname "$1/*" \) \
    -printf '%h\n' 2>/dev/null | sed 's,/proc/,,' || true
}

stop_host() {
  local pid
  rm -f "$tmp/$1.conf"
  for pid in $(cat "$tmp/$1.pids" 2>/dev/null || true); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != sshd ] || kill -KILL "$pid" 2>/dev/null || true
  done
}

# Here-documents end at the margin.
start_hosts() {
  local host
  ssh-keygen -q -t ed25519 -N '' -f "$tmp/host-key"
  ssh-keygen -q -t ed25519 -N '' -f "$tmp/user-key"
  cp "$tmp/user-key.pub" "$tmp/authorized-keys"
  cat >"$tmp/enter" <<'SH'
#!/bin/sh
# What sshd runs instead of the command: the command, in the host's folder.
cd "$1" && exec sh -c "$SSH_ORIGINAL_COMMAND"
SH
  chmod +x "$tmp/enter"

  cat >"$tmp/connect" <<SH
#!/bin/sh
# An sshd of a host, on stdin and stdout. As root it insists on /run/sshd, which it gets to itself.
echo \$\$ >>"$tmp/\$1.pids"
set -- "$sshd" -i -f "$tmp/\$1.conf" -E "$tmp/\$1.log"
[ "\$(id -u)" -eq 0 ] && [ ! -e /run/sshd ] || exec "\$@"
exec unshare --mount sh -c 'mount -t tmpfs none /run && mkdir /run/sshd && exec "\$@"' sh "\$@"
SH
  chmod +x "$tmp/connect"

  for host in "$@"; do
    mkdir "$tmp/$host"
    cat >"$tmp/$host.conf" <<CONF
HostKey $tmp/host-key
PidFile none
AuthorizedKeysFile $tmp/authorized-keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
UsePAM no
ForceCommand $tmp/enter $tmp/$host
CONF
  done
  cat >"$tmp/ssh-config" <<CONF
Host *
  ProxyCommand $tmp/connect %n
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
    [ "$(ssh -F "$tmp/ssh-config" "$host" pwd)" = "$tmp/$host" ] ||
      { cat "$tmp/$host.log" >&2; fail "no ssh to $host"; }
  done
}

stop_hosts() {
  local pid conf
  cd /
  for conf in "$tmp"/*.conf; do stop_host "$(basename "$conf" .conf)"; done
  for pid in $(processes_of "$tmp"); do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
}
