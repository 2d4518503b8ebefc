#!/usr/bin/env bash
# Signs a request and sends it with curl: examples/signed-curl.sh METHOD PATH [JSON]
#
# It signs as the sandbox's alice, or with AS=bob or AS=carol as one of them. The signature is HMAC-SHA256 over timestamp,
# method, path with query, and body; the passphrase is sent as an HMAC too.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: examples/signed-curl.sh METHOD PATH [JSON], such as: examples/signed-curl.sh GET /api/v1/accounts" >&2
  exit 2
fi
case ${AS:-alice} in
  alice) user=(65a0b0c0d0e0f00000a11ce1 a11ce000-5a4d-4b0c-8e11-000000000001 alice-sandbox) ;;
  bob) user=(65a0b0c0d0e0f000000b0b01 b0b00000-5a4d-4b0c-8e11-000000000002 bob-sandbox) ;;
  carol) user=(65a0b0c0d0e0f00000ca2011 ca201000-5a4d-4b0c-8e11-000000000003 carol-sandbox) ;;
  *) echo "AS is alice, bob or carol; for others set API_KEY, API_SECRET and API_PASSPHRASE" >&2; exit 2 ;;
esac
url=${BOURSE_URL:-http://127.0.0.1:8080}
key=${API_KEY:-${user[0]}}
secret=${API_SECRET:-${user[1]}}
passphrase=${API_PASSPHRASE:-${user[2]}}
method=$1 path=$2 body=${3:-}

# `openssl dgst -hmac` takes the secret as an argument, which every user of the machine can read with ps. So compute the
# HMAC from two hashes: H(secret XOR 92, H(secret XOR 54, text)).
sha256() { openssl dgst -sha256 -binary; }
pad() {
  local b
  for b in $({ printf %s "$secret"; head -c 64 /dev/zero; } | head -c 64 | od -An -v -tu1); do
    b=$((b ^ $1))
    printf "\\$((b / 64))$((b / 8 % 8))$((b % 8))"
  done
}
hmac() { { pad 92; { pad 54; printf %s "$1"; } | sha256; } | sha256 | openssl base64 -A; }

# In milliseconds, which not every `date` supports: equal requests with the same timestamp count as one.
timestamp=$(date +%s%3N | grep -v N || perl -MTime::HiRes=time -e 'printf "%d", 1000 * time')

printf '%s\n' \
  "SVC-API-KEY: $key" \
  "SVC-API-SIGN: $(hmac "$timestamp$method$path$body")" \
  "SVC-API-TIMESTAMP: $timestamp" \
  "SVC-API-PASSPHRASE: $(hmac "$passphrase")" \
  "SVC-API-KEY-VERSION: 3" \
  ${body:+"Content-Type: application/json"} |
  curl --silent --show-error --header @- --request "$method" "$url$path" ${body:+--data-binary "$body"}
echo
