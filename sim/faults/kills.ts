/**
 * Promise 1 with a real process: `kill -9` at random moments under load. After every kill, acknowledged orders are looked
 * up, and unanswered ones are sent again; at the end everything is compared with the log, including history.
 */

import { Random } from '@bourse/test-kit/random.ts';
import { type Audit, auditDirectory, Load } from './load.ts';
import { EngineProcess } from './engine-process.ts';

/** How many orders from before the last run are looked up after each start. */
const OLD_LOOKUPS = 200;

export interface KillReport extends Audit {
  readonly kills: number;
  /** Kills during start-up. */
  readonly killsWhileStarting: number;
  readonly lookedUp: number;
  readonly notFound: number;
  readonly unanswered: number;
  readonly sentAgain: number;
  readonly isHashSame: boolean;
}

export async function killAgainAndAgain(dir: string, kills: number, seed: number): Promise<KillReport> {
  const random = new Random(seed);
  const load = new Load(random);
  let [lookedUp, notFound, unanswered, sentAgain, killsWhileStarting] = [0, 0, 0, 0, 0];
  let known = 0;

  const lookUp = async (engine: EngineProcess): Promise<void> => {
    const { acknowledged } = load;
    const old = Array.from({ length: known === 0 ? 0 : OLD_LOOKUPS }, () =>
      random.pick(acknowledged.slice(0, known)),
    );
    const asked = [...acknowledged.slice(known), ...old].filter(({ order }) => order > 0);
    const replies = await Promise.all(asked.map(({ order }) => engine.ask({ order })));
    replies.forEach(({ active, done, history }, at) => {
      lookedUp += 1;
      if ((active ?? done ?? history)?.clientId !== asked[at]?.clientId) notFound += 1;
    });
    known = acknowledged.length;
  };

  let isOpen = false;
  for (let kill = 0; kill < kills; kill++) {
    const engine = new EngineProcess(dir);
    // Kills every fourth process, and a tenth of the others, during start-up.
    if (isOpen && (kill % 4 === 3 || random.chance(0.1))) {
      await pause(random.range(20, 400));
      await engine.kill();
      killsWhileStarting += 1;
      continue;
    }
    await engine.ready();
    if (!isOpen) await load.openMarket(engine);
    isOpen = true;
    await lookUp(engine);
    const again = load.unanswered;
    load.unanswered = [];
    unanswered += again.length;
    sentAgain += again.length;
    const running = Promise.all([
      ...again.map((command) => load.send(engine, command)),
      load.run(engine, () => false),
    ]);
    await pause(random.range(5, 300));
    await engine.kill();
    await running;
  }
  const last = new EngineProcess(dir);
  await last.ready();
  await lookUp(last);
  await last.ask({ caughtUp: true });
  const { hash } = await last.ask({ hash: true });
  await last.close();
  const audit = await auditDirectory(dir, load.acknowledged);
  return {
    kills,
    killsWhileStarting,
    lookedUp,
    notFound,
    unanswered,
    sentAgain,
    isHashSame: audit.hash === hash,
    ...audit,
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
