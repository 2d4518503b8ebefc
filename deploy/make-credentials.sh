#!/usr/bin/env bash
# deploy/make-credentials.sh DIR NAME[=HOST]...: creates the credentials of a cluster's log servers and nodes.
#
#   deploy/make-credentials.sh credentials log-1=10.0.0.1 log-2=10.0.0.2 log-3=10.0.0.3
#
# NAME is the server's name, HOST the name or address by which nodes and servers reach it (default: NAME). Writes
#
#   DIR/NAME/         is /etc/nats of that server: nats-server.conf, certificate and key, the CA, users and routes
#   DIR/cluster.env   into /etc/bourse of every node: BOURSE_CLUSTER with user and password
#   DIR/ca.pem        into /etc/bourse of every node: the CA of the servers' certificates
#   DIR/ca.key        stays here, for the next server; whoever has it can join as a log server
#
# Existing files are kept: with one more NAME, its certificate is created and all servers get the new route.
set -euo pipefail
umask 077
if [ "$#" -lt 2 ]; then sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
dir=$1; shift
mkdir -p "$dir"
days=3650

secret() { [ -s "$dir/$1" ] || openssl rand -hex 24 > "$dir/$1"; cat "$dir/$1"; }
clients=$(secret client-password)
routes=$(secret route-password)

if [ ! -s "$dir/ca.pem" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$days" -subj '/CN=Bourse log servers' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign' \
    -keyout "$dir/ca.key" -out "$dir/ca.pem" 2>/dev/null
fi

hosts=()
for each in "$@"; do
  name=${each%%=*}; host=${each#*=}
  hosts+=("$host")
  mkdir -p "$dir/$name"
  case $host in *[!0-9.]*) subject=DNS:$host ;; *) subject=IP:$host ;; esac
  if [ ! -s "$dir/$name/cert.pem" ]; then
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
      -keyout "$dir/$name/key.pem" -out "$dir/$name/request.pem" 2>/dev/null
    # A server is also a client of the others' route ports.
    openssl x509 -req -in "$dir/$name/request.pem" -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -CAcreateserial -days "$days" \
      -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$subject") \
      -out "$dir/$name/cert.pem" 2>/dev/null
    rm "$dir/$name/request.pem"
  fi
  cp "$dir/ca.pem" "$(dirname "$0")/nats-server.conf" "$dir/$name/"
done

for each in "$@"; do
  name=${each%%=*}
  # Nodes may query each server's configuration, and nothing else of the system account.
  cat > "$dir/$name/users.conf" <<EOF
accounts {
  BOURSE {
    jetstream: enabled
    users: [{ user: bourse, password: "$clients" }]
    imports: [{ service: { account: SYS, subject: "\$SYS.REQ.SERVER.PING.VARZ" } }]
  }
  SYS { exports: [{ service: "\$SYS.REQ.SERVER.PING.VARZ", accounts: [BOURSE], response_type: stream }] }
}
system_account: SYS
EOF
  {
    echo "authorization { user: route, password: \"$routes\", timeout: 5 }"
    echo 'routes: ['
    for host in "${hosts[@]}"; do echo "  \"nats-route://route:$routes@$host:6222\""; done
    echo ']'
  } > "$dir/$name/routes.conf"
done

servers=$(IFS=,; echo "${hosts[*]/%/:4222}")
echo "BOURSE_CLUSTER=tls://bourse:$clients@$servers" > "$dir/cluster.env"
