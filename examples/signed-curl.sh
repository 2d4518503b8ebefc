#!/usr/bin/env bash
# Signs a request and sends it with curl: examples/signed-curl.sh METHOD PATH [JSON]
#
# Without other settings it is alice, of the sandbox. The signature is HMAC-SHA256 over timestamp, method, path with
# query, and body; the passphrase is sent as its HMAC too.
set -euo pipefail

url=${BOURSE_API_URL:-http://127.0.0.1:8080}
key=${API_KEY:-65a0b0c0d0e0f00000a11ce1}
secret=${API_SECRET:-a11ce000-5a4d-4b0c-8e11-000000000001}
passphrase=${API_PASSPHRASE:-alice-sandbox}
method=$1 path=$2 body=${3:-}

hmac() { printf %s "$1" | openssl dgst -sha256 -hmac "$secret" -binary | openssl base64 -A; }
timestamp=$(node -p 'Date.now()' 2>/dev/null || echo "$(date +%s)000")

curl --silent --show-error --request "$method" "$url$path" \
  --header "SVC-API-KEY: $key" \
  --header "SVC-API-SIGN: $(hmac "$timestamp$method$path$body")" \
  --header "SVC-API-TIMESTAMP: $timestamp" \
  --header "SVC-API-PASSPHRASE: $(hmac "$passphrase")" \
  --header "SVC-API-KEY-VERSION: 3" \
  ${body:+--header 'Content-Type: application/json' --data-binary "$body"}
echo
