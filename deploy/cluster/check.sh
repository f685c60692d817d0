#!/bin/sh
# Refuses a cluster that can lose acknowledged writes or stops writes for longer than it must.
#   check.sh [config.yml [haproxy.cfg [common.env [live.yml]]]]
# live.yml is what “patronictl show-config” prints: changes after the start are only there.
# Exit status: 0 safe, perhaps with warnings; 1 unsafe.
patroni=${1:-/etc/patroni/config.yml}
haproxy=${2:-/etc/haproxy/haproxy.cfg}
service=${3:-/etc/emojid/common.env}
live=${4:-/dev/null}
version=${PATRONI_VERSION:-$(patroni --version | cut -d' ' -f2)}
# Seconds for which the service waits for a commit.
commit_limit=15
unsafe=0

refuse() { echo "REFUSED: $1" && unsafe=1; }
warn() { echo "WARNING: $1"; }
# The first value of a name, without its comment: in the live configuration, then in the file.
value() { cat "$live" "$patroni" | sed -n "s/^ *$1: *\([^ #]*\).*/\1/p" | tr -d "\"'" | head -n 1; }
in_haproxy() { sed 's/#.*//' "$haproxy" | grep -o "$1" | head -n 1 | grep -o '[0-9].*'; }
# 1s, 1500ms or 1500 in milliseconds.
milliseconds() { case $1 in *ms) echo "${1%ms}" ;; *s) echo $((${1%s} * 1000)) ;; *) echo "${1:-0}" ;; esac; }
is_on() { case $(value "$1") in true | on | yes | quorum) ;; *) return 1 ;; esac; }

for file in "$patroni" "$haproxy" "$service" "$live"; do
  [ -r "$file" ] || { echo "REFUSED: $file cannot be read." && exit 1; }
done

if grep -q '^etcd3:' "$patroni" && [ "$(printf '%s\n' "$version" 3.0.3 | sort -V | head -n 1)" != 3.0.3 ]; then
  refuse "Patroni $version with etcd3 takes the leader key back after a pause, and acknowledged writes are lost. Use “etcd:” with “etcd --enable-v2”, or Patroni 3.0.3 or later."
fi

ttl=$(value ttl) loop_wait=$(value loop_wait) retry_timeout=$(value retry_timeout)
if [ -z "$ttl" ] || [ -z "$loop_wait" ] || [ -z "$retry_timeout" ]; then
  refuse "ttl, loop_wait and retry_timeout are not all set in $patroni. Copy them from deploy/cluster/patroni.yml."
else
  [ "$ttl" -ge $((loop_wait + 2 * retry_timeout)) ] ||
    refuse "ttl is $ttl s. A primary that waits for etcd loses its lease: set ttl to at least loop_wait + 2 × retry_timeout = $((loop_wait + 2 * retry_timeout)) s."
  inter=$(milliseconds "$(in_haproxy '[[:space:]]inter *[0-9ms]*')")
  fall=$(in_haproxy '[[:space:]]fall *[0-9]*')
  check=$(milliseconds "$(in_haproxy 'timeout check *[0-9ms]*')")
  detected=$((${fall:-3} * (inter + check)))
  if [ "$inter" -eq 0 ] || [ "$check" -eq 0 ]; then
    refuse "$haproxy has no “inter” or no “timeout check”: a lost machine is detected late. Copy both from deploy/cluster/haproxy.cfg."
  elif [ "$detected" -ge $(((ttl - loop_wait) * 1000)) ]; then
    refuse "HAProxy detects a lost machine after $detected ms. Lower fall, inter or timeout check until it is below ttl − loop_wait = $((ttl - loop_wait)) s."
  fi
  sender=$(($(milliseconds "$(value wal_sender_timeout)") / 1000))
  [ "$sender" -gt 0 ] && [ "$commit_limit" -gt $((loop_wait + sender)) ] ||
    refuse "The service waits $commit_limit s for a commit. A lost standby is replaced after wal_sender_timeout + loop_wait, in seconds: $sender + $loop_wait. Lower them, and keep wal_sender_timeout above 0."
  behind=$(sed -n 's/^REPLICA_MAX_BEHIND_SECONDS=//p' "$service" | tail -n 1)
  [ "${behind:-5}" -ge $((ttl + 5)) ] ||
    warn "Lookups stop ${behind:-5} s after a primary is lost, before another one is elected. Set REPLICA_MAX_BEHIND_SECONDS to at least ttl + 5 = $((ttl + 5))."
fi

is_on synchronous_mode && is_on synchronous_mode_strict ||
  refuse "synchronous_mode and synchronous_mode_strict are not both on: a failover loses acknowledged writes. Set both to true."
is_on failsafe_mode ||
  warn "failsafe_mode is not on: writes stop while etcd is down. Set it to true."
grep -v '^ *#' "$haproxy" | grep -q 'on-marked-down shutdown-sessions' ||
  refuse "$haproxy keeps connections to a lost primary. Add “on-marked-down shutdown-sessions”."
if sed 's/#.*//' "$haproxy" "$service" | grep -Eiq ':6432|pgbouncer|pgpool'; then
  refuse "A pooler such as PgBouncer is between the service and PostgreSQL. It drops notices, so that lookups get old. Connect through HAProxy only."
fi
if grep -v '^ *#' "$patroni" "$service" | grep -q 'change-me'; then
  refuse "A password is still “change-me”. Set every password."
fi
case $(sed -n '/^watchdog:/,/^[a-z]/p' "$patroni" | sed -n 's/^ *mode: *\([^ #]*\).*/\1/p' | head -n 1) in
  required) ;;
  *) warn "The watchdog is not required: a machine that hangs may stay primary for some seconds. Load softdog and set watchdog.mode to required." ;;
esac

[ "$unsafe" -eq 0 ] && echo "The cluster is safe as configured."
exit "$unsafe"
