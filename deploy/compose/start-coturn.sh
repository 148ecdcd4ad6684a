#!/bin/sh
# Starts coturn with turnserver.conf and what belongs to this machine. The secret is in a file that only coturn's user can read,
# because the whole machine sees command lines.
#   TURN_SECRET_FILE   has the secret that the service has as TURN_SECRET
#   TURN_FORMER_SECRET_FILE  has the one before, while it is changed; may be empty
#   TURN_EXTERNAL_IP   behind NAT: the public address, or public/private
#   TURN_LISTENING_IP  only this address of several
#   TURN_TLS_PORT      5349, or 443 on an address without another server there
#   TURN_CERTIFICATE, TURN_KEY  TLS is on if both files exist
set -eu
umask 077
folder=$(dirname "$0")
configuration=$(mktemp)
cat "${TURN_CONFIGURATION:-$folder/turnserver.conf}" >"$configuration"

add() { printf '%s\n' "$1" >>"$configuration"; }

for file in "$TURN_SECRET_FILE" "${TURN_FORMER_SECRET_FILE:-}"; do
  if [ -s "$file" ]; then add "static-auth-secret=$(cat "$file")"; fi
done
if [ -n "${TURN_LISTENING_IP:-}" ]; then add "listening-ip=$TURN_LISTENING_IP"; fi
if [ -n "${TURN_EXTERNAL_IP:-}" ]; then
  add "external-ip=$TURN_EXTERNAL_IP"
  # Participants who both need the relay reach each other at the public address, which coturn turns into the private one.
  case $TURN_EXTERNAL_IP in */*) add "allowed-peer-ip=${TURN_EXTERNAL_IP#*/}" ;; esac
fi
if [ -r "${TURN_CERTIFICATE:-}" ] && [ -r "${TURN_KEY:-}" ]; then
  add "cert=$TURN_CERTIFICATE"
  add "pkey=$TURN_KEY"
  add "tls-listening-port=${TURN_TLS_PORT:-5349}"
else
  add no-tls
fi
exec turnserver -c "$configuration"
