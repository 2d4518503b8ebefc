/**
 * Load of people and operators on all nodes of a cluster while nodes fail. In each round, one recovery code is sent to
 * every node and three operators approve one proposal at three nodes, all concurrently, with retries until a response
 * arrives. The code must open exactly one session, and the approved command must be executed exactly once.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { SecretBox } from '../../../api/src/gateway/access/secrets.ts';
import { makeVerifier } from '../../../api/src/identity/passwords.ts';
import { VenueKeys } from '../../../api/src/identity/venue-keys.ts';
import type { RunningExchange } from '../../../bourse/src/startup/running-exchange.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { appCode, IdentitySandbox, type Said, type SignedInAs } from '../identity.ts';
import type { TestCluster } from './test-cluster.ts';

const PASSWORD = 'four unrelated words here';
const SETTLED_MS_MAX = 60_000;
const PAUSE_MS = 100;
const ANSWER_MS_MAX = 5000;
const HOUR_MS = 3_600_000;
const OPERATORS = ['ann', 'bob', 'eve'];

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export class PeopleLoad {
  /** A message for each violation. */
  readonly wrong: string[] = [];
  signIns = 0;
  approvals = 0;
  /** Rounds in which an attempt got no response. */
  unanswered = 0;
  readonly #cluster: TestCluster;
  #me!: SignedInAs;
  #email = '';
  #people = 0;
  #codes: string[] = [];
  readonly #tokens: string[] = [];
  #running: Promise<void> = Promise.resolve();
  #awaited: (() => void)[] = [];
  #isEnding = false;
  #turn = 0;

  private constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  static async start(cluster: TestCluster): Promise<PeopleLoad> {
    const load = new PeopleLoad(cluster);
    await load.#begin();
    load.#running = load.#run();
    return load;
  }

  /** Ends after the current round. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #begin(): Promise<void> {
    for (const name of OPERATORS) {
      const { body } = await this.#operate(0, 'POST', '/v1/operators', { name, roles: ['support'] });
      this.#tokens.push(String(body['token']));
    }
    const rules = [{ call: 'add-user', approvals: 1, roles: ['support'] }];
    const { status, body } = await this.#operate(0, 'POST', '/v1/policy', { rules, expiryMs: HOUR_MS });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#isEnding; round++) {
      try {
        const name = `person-${round}`;
        const [code, held] = await Promise.all([this.#takeCode(), this.#propose(name)]);
        // Concurrently, so that a fault hits both.
        const attempts = [this.#signIn(code), this.#approve(name, held)];
        for (const resolve of this.#awaited.splice(0)) resolve();
        await Promise.all(attempts);
      } catch (error) {
        this.wrong.push((error as Error).message);
        for (const resolve of this.#awaited.splice(0)) resolve();
        return;
      }
      await wait(PAUSE_MS);
    }
  }

  /** Resolves when the next attempts have been sent; at once if there will be none. */
  underWay(): Promise<void> {
    if (this.wrong.length > 0 || this.#isEnding) return Promise.resolve();
    return new Promise((resolve) => this.#awaited.push(resolve));
  }

  async #takeCode(): Promise<string> {
    if (this.#codes.length === 0) await this.#settled('somebody signs up', () => this.#signUp());
    await this.#settled('others’ sessions end', () =>
      this.#try((node) => node.delete('/sessions', this.#me)).then((said) => said?.status === 204),
    );
    await this.#settled('one session is left', async () => (await this.#sessions()) === 1);
    return this.#codes.pop()!;
  }

  /** One code, sent to all nodes. */
  async #signIn(recoveryCode: string): Promise<void> {
    const attempt = (node: IdentitySandbox): Promise<Said> =>
      node.send('POST', '/sessions', { email: this.#email, password: PASSWORD, recoveryCode });
    const said = await Promise.all(this.#nodes().map((node) => answered(attempt(node))));
    if (said.includes(null)) this.unanswered++;
    let opened = said.filter((each) => each?.status === 201).length;
    // An attempt without a response may or may not have taken effect; another attempt shows which.
    await this.#settled(`an answer to ${recoveryCode}`, async () => {
      if (opened > 0) return true;
      const again = await this.#try(attempt);
      if (again?.status === 201) opened++;
      return opened > 0 || again?.json.code === 'second-factor';
    });
    if (opened > 1) this.wrong.push(`one code was answered with ${opened} sessions`);
    await this.#settled('one code opens one session', async () => (await this.#sessions()) === 2);
    await this.#settled('one code is used', async () => {
      const session = await this.#try((node) => node.get('/session', this.#me));
      const { recoveryCodes } = (session?.json.factors ?? {}) as { recoveryCodes?: number };
      return recoveryCodes === this.#codes.length;
    });
    this.signIns++;
  }

  /** A new person each time, because an attempt without a response may have taken effect. */
  async #signUp(): Promise<boolean> {
    this.#email = `ada-${++this.#people}@example.test`;
    // Nodes in separate networks cannot reach the test's mail server, so create the mail's token here.
    const keys = new VenueKeys(new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')));
    const verifier = await makeVerifier(PASSWORD, '');
    const until = Date.now() + HOUR_MS;
    const token = keys.issue({ kind: 'sign-up', email: this.#email, verifier, until });
    const verified = await this.#try((node) => node.post('/verify', { token }));
    if (verified?.status !== 201) return false;
    this.#me = verified.json;
    // Each call goes to another node; the session's token names the record that the node must have.
    const begun = await this.#try((node) => node.post('/totp', {}, this.#me));
    if (begun?.status !== 201) return false;
    const confirm = { code: appCode(begun.json.secret, Date.now()) };
    const confirmed = await this.#try((node) => node.post('/totp/confirm', confirm, this.#me));
    if (confirmed?.status !== 200) return false;
    this.#codes = confirmed.json.recoveryCodes;
    return true;
  }

  async #propose(name: string): Promise<Record<string, unknown>> {
    let held: Record<string, unknown> = {};
    await this.#settled(`${name} is proposed`, async () => {
      const reply = await this.#tryOperate('POST', '/v1/users', { name });
      held = reply?.body ?? {};
      return reply?.status === 202;
    });
    return held;
  }

  /** One proposal, approved by three operators at three nodes. */
  async #approve(name: string, { proposalId, hash }: Record<string, unknown>): Promise<void> {
    const path = `/v1/proposals/${String(proposalId)}/approve`;
    const said = await Promise.all(
      this.#tokens.map((token, at) => answered(this.#operate(at, 'POST', path, { hash }, token))),
    );
    if (said.includes(null)) this.unanswered++;
    let done = said.filter((each) => each?.status === 200).length;
    await this.#settled(`an answer about ${name}`, async () => {
      if (done > 0) return true;
      const again = await this.#tryOperate('POST', path, { hash }, this.#tokens[0]);
      if (again?.status === 200) done++;
      return done > 0 || again?.status === 409;
    });
    if (done > 1) this.wrong.push(`${done} approvals carried ${name} out`);
    await this.#settled(`${name} is there once`, async () => {
      const reply = await this.#tryOperate('GET', '/v1/users');
      const users = reply?.status === 200 ? (reply.body as unknown as { name: string }[]) : [];
      const found = users.filter((each) => each.name === name).length;
      if (found > 1) throw new Error(`${name} is there ${found} times`);
      return found === 1;
    });
    this.approvals++;
  }

  async #sessions(): Promise<number> {
    const said = await this.#try((node) => node.get('/sessions', this.#me));
    const list = said?.status === 200 ? (said.json as unknown as unknown[]) : [];
    if (list.length > 2) throw new Error(`one code opened ${list.length - 1} sessions`);
    return list.length;
  }

  async #settled(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + SETTLED_MS_MAX; Date.now() < until; await wait(PAUSE_MS)) {
      if (await isSo()) return;
    }
    throw new Error(`never: ${what}`);
  }

  #nodes(): IdentitySandbox[] {
    return this.#cluster.urls.map((baseUrl) => {
      const connection = { baseUrl, identityUrl: `${baseUrl}/identity/v1` };
      return new IdentitySandbox({ connection } as RunningExchange);
    });
  }

  /** Tries the nodes one after another. */
  #try(ask: (node: IdentitySandbox) => Promise<Said>): Promise<Said | null> {
    const nodes = this.#nodes();
    return answered(ask(nodes[this.#turn++ % nodes.length]!));
  }

  #tryOperate(method: string, path: string, body?: object, token?: string): Promise<Answered | null> {
    return answered(this.#operate(this.#turn++ % this.#cluster.file.nodes.length, method, path, body, token));
  }

  async #operate(
    at: number,
    method: string,
    path: string,
    body?: object,
    token = this.#cluster.file.operatorToken,
  ): Promise<Answered> {
    const response = await fetch(this.#cluster.file.nodes[at]!.operatorUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify({ reason: 'a test', ...body }) }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}

/** null if there is none. */
function answered<T>(asked: Promise<T>): Promise<T | null> {
  const late = wait(ANSWER_MS_MAX, null, { ref: false });
  return Promise.race([asked.catch(() => null), late]);
}
