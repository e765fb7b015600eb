#!/bin/sh
# Makes the secrets that the services of compose.yaml share, unless they are there. Prints the admin token when it makes it.
#   sh make-secrets.sh FOLDER
set -eu
umask 077
cd "$1"

# Begins with a letter: NATS would read some rows of digits as numbers. Renamed when complete: a half-written one is never read.
make() {
  if [ -s "$1" ]; then return 1; fi
  printf 'v%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" > ".$1"
  mv ".$1" "$1"
}

make nats-password || true
if make admin-token; then
  echo "The admin token, shown this once: $(cat admin-token)"
else
  echo "The admin token is the one that was made before."
fi
