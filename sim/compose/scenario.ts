/** deploy/compose.yaml as an operator runs it: seven services, a venue set up from inside, and a node that dies. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Credentials } from '@bourse/test-kit/server.ts';
import type { Podman } from './podman.ts';

export interface Running {
  readonly podman: Podman;
  /** The directory of the copied compose file. */
  readonly deploy: string;
  readonly project: string;
  readonly url: string;
}

const NODES = ['node-1', 'node-2', 'node-3'];
export const SERVICES = ['log-1', 'log-2', 'log-3', ...NODES, 'proxy'];
const TRIES = 240;
const TRY_MS = 500;
const OPERATOR_PORT = 8081;
const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'ACME-EUR', type: 'limit', side: 'buy', price: '10', size: '1' };

/** As in docs/operating/venue.md, in a node's container. */
const SET_UP = `
set -e
export BOURSE_URL=http://127.0.0.1:${OPERATOR_PORT} BOURSE_OPERATOR_TOKEN=$(cat /run/secrets/token)
bourse() { /app/packages/bourse/bin/bourse.mjs "$@" --reason 'setting up'; }
cd "$(mktemp -d)"
for name in EUR ACME; do
  echo "{\\"currency\\":\\"$name\\",\\"fullName\\":\\"$name\\",\\"precision\\":2,\\"scale\\":12,\\"chains\\":[{\\"chainId\\":\\"c\\",\\"chainName\\":\\"C\\"}]}" > currency.json
  bourse currencies add currency.json > out
done
echo '{"symbol":"ACME-EUR","baseCurrency":"ACME","quoteCurrency":"EUR","priceIncrement":"0.01","baseIncrement":"0.0001","quoteIncrement":"0.01","baseMinSize":"0.01","baseMaxSize":"1000000","quoteMinSize":"0.1","quoteMaxSize":"1000000","minFunds":"1","priceLimitRate":"0.1"}' > symbol.json
bourse symbols add symbol.json > out
bourse symbols state ACME-EUR open > out
bourse users add dave > out
bourse deposits add dave 1000 EUR --tx 1 > out
bourse keys add dave --permissions General,Spot,FlexTransfers --json
`;

interface Status {
  readonly leader: string | null;
  readonly nodes: readonly { readonly name: string; readonly seq: number; readonly state: string }[];
  readonly degraded: string | null;
}

const nameOf = ({ project }: Running, service: string): string => `${project}_${service}_1`;

async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  let last = '';
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const found = await look();
      if (found !== null && found !== false) return found;
    } catch (error) {
      last = String(error);
    }
    await wait(TRY_MS);
  }
  return assert.fail(`never: ${what}. ${last}`);
}

export async function healthy(running: Running, services: readonly string[]): Promise<void> {
  for (const service of services)
    await until(`${service} is healthy`, () => running.podman.isHealthy(nameOf(running, service)) || null);
}

/** Only the proxy is published; the operators' listener of a node cannot be reached from outside its container. */
export async function checkPorts(running: Running): Promise<void> {
  const { podman, url } = running;
  for (const service of SERVICES) {
    const published = podman.run(['port', nameOf(running, service)]).trim();
    if (service === 'proxy') assert.match(published, /^8080\/tcp -> \S+:\d+$/);
    else assert.equal(published, '', service);
  }
  for (const node of NODES) {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    const address = podman.run(['inspect', '--format', format, nameOf(running, node)]).trim();
    assert.equal(await isListening(address, 8080), true, `${node} serves the proxy`);
    assert.equal(await isListening(address, OPERATOR_PORT), false, `${node} serves operators from outside`);
  }
  for (const path of ['/operator/v1/cluster', '/console/', '/metrics'])
    assert.equal((await fetch(url + path)).status, 404, path);
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 }, () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('timeout', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** The key of a customer with money in its trading account. */
export async function setUp(running: Running): Promise<Client> {
  const { podman, url } = running;
  const made = podman.run(['exec', '-i', nameOf(running, 'node-1'), 'bash'], SET_UP);
  const client = new Client(url, JSON.parse(made) as Credentials);
  const moved = await client.post('/api/v3/accounts/universal-transfer', {
    clientOid: 'move',
    type: 'INTERNAL',
    currency: 'EUR',
    amount: '1000',
    fromAccountType: 'MAIN',
    toAccountType: 'TRADE',
  });
  assert.equal(moved.status, 200, moved.text);
  return client;
}

/** Retries until it is accepted: the proxy notices a dead node after two checks. */
export async function place(client: Client, clientOid: string): Promise<string> {
  return until(`order ${clientOid} is taken`, async () => {
    const found = await client.get(`${ORDERS}/client-order/${clientOid}?symbol=ACME-EUR`);
    const { id } = (found.json.data ?? {}) as { id?: string };
    if (id !== undefined) return id;
    const { json, text } = await client.post(ORDERS, { ...ORDER, clientOid });
    if (json.code !== '200000') throw new Error(text);
    return (json.data as { orderId: string }).orderId;
  });
}

function statusAt(running: Running, service: string): Status {
  const script = `BOURSE_URL=http://127.0.0.1:${OPERATOR_PORT} BOURSE_OPERATOR_TOKEN=$(cat /run/secrets/token) packages/bourse/bin/bourse.mjs cluster status --json`;
  const printed = running.podman.run(['exec', nameOf(running, service), 'bash', '-c', script]);
  return JSON.parse(printed) as Status;
}

/** Kills the leader and removes its volume; orders continue; a new container replaces it and catches up completely. */
export async function replaceLeader(running: Running, client: Client): Promise<string> {
  const { podman, deploy, project } = running;
  const { leader } = await until('somebody leads', () => {
    const status = statusAt(running, 'node-1');
    return status.leader === null ? null : status;
  });
  const service = `node-${leader!.slice(1)}`;
  const before = await place(client, 'before');
  podman.run(['rm', '--force', '--time', '0', nameOf(running, service)]);
  podman.run(['volume', 'rm', `${project}_${service}`]);
  const after = await place(client, 'after');
  podman.compose(deploy, project, 'up', '--no-build', '--detach', service);
  await healthy(running, [service]);
  await until('all nodes are there', () => {
    const { nodes, degraded } = statusAt(running, service);
    const seqs = new Set(nodes.map(({ seq }) => seq));
    return nodes.length === NODES.length && seqs.size === 1 && degraded === null ? true : null;
  });
  for (const [clientOid, id] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const { json, text } = await client.get(`${ORDERS}/client-order/${clientOid}?symbol=ACME-EUR`);
    assert.equal((json.data as { id?: string } | null)?.id, id, text);
  }
  return service;
}
