#!/bin/sh
# Makes the secrets that the services of compose.yaml share, unless they are there. Prints the admin token when it makes it.
#   sh make-secrets.sh FOLDER
# MONGODB_PASSWORD and REDIS_PASSWORD are taken instead of new ones, the first time.
set -eu
umask 077
cd "$1"

# Renamed when complete: a half-written one is never read.
keep() {
  cat > ".$1"
  mv ".$1" "$1"
}

# Begins with a letter: NATS would read some rows of digits as numbers.
make() {
  if [ -s "$1" ]; then return 1; fi
  case "${2:-}" in
    *[!A-Za-z0-9_-]*) echo "the $1 may have letters, digits, - and _ only" >&2; exit 1 ;;
    "") printf 'v%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" | keep "$1" ;;
    ????????????*) printf '%s' "$2" | keep "$1" ;;
    *) echo "the $1 needs at least 12 characters" >&2; exit 1 ;;
  esac
}

make nats-password || true
# The members of a replica set know each other by it.
make mongodb-key || true
make mongodb-password "${MONGODB_PASSWORD:-}" || true
make redis-password "${REDIS_PASSWORD:-}" || true
printf 'mongodb://vitrine:%s@mongodb:27017/vitrine?replicaSet=rs0&authSource=admin' "$(cat mongodb-password)" | keep mongodb-url
printf 'redis://:%s@redis:6379' "$(cat redis-password)" | keep redis-url
printf 'requirepass %s\n' "$(cat redis-password)" | keep redis.conf
if make admin-token; then
  echo "The admin token, shown this once: $(cat admin-token)"
else
  echo "The admin token is the one that was made before."
fi
