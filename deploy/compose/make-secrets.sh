#!/bin/sh
# Makes the files in secrets/ that compose.yaml needs, but for those that exist. Back them up: the database and all tokens depend
# on them. Containers read them as users of their own, so they are readable within a folder that only its owner may enter.
set -eu
cd "$(dirname "$0")/../.."
umask 077
mkdir -p secrets certificates
command -v openssl >/dev/null || { echo 'Install openssl, which makes the secrets.' >&2; exit 1; }
random() { openssl rand -hex 32 | tr -d '\n'; }
make() {
  # An empty one is left by a run that failed, and cannot be written.
  if [ ! -s "secrets/$1" ]; then rm -f "secrets/$1" && cat >"secrets/$1"; fi
  # Also those that you have written.
  chmod 444 "secrets/$1"
}

for name in postgres_password database_password jwt_secret encryption_key turn_secret; do random | make "$name"; done
printf 'postgres://video_queue_owner:%s@postgres:5432/video_queue' "$(cat secrets/database_password)" | make database_url
# Only while TURN_SECRET is changed does it have a value.
make turn_former_secret </dev/null
chmod 755 certificates
