/** Compares the configuration of nodes and log servers: differences are logged once, and shown while they last. */

import type { HeardNode, LogServerSettings } from '@bourse/cluster';
import { shortened } from '@bourse/engine';
import { differingIn } from './shared-settings.ts';

export interface ClusterSetupParts {
  /** Fingerprints of this node's current settings. */
  readonly prints: () => string;
  readonly askServers: () => Promise<readonly LogServerSettings[]>;
  /** A message of the log may be that large. */
  readonly messageBytesMin: number;
  readonly onWarning: (sentence: string) => void;
}

/** Nodes announce their settings continuously; servers are asked only every so many checks. */
const LOOKS_PER_QUESTION = 60;
const NAMES_SHOWN = 10;

export class ClusterSetup {
  readonly #parts: ClusterSetupParts;
  #servers: readonly LogServerSettings[] = [];
  /** Each with its message. */
  #faults = new Map<string, string>();
  #looks = 0;

  constructor(parts: ClusterSetupParts) {
    this.#parts = parts;
  }

  get sentences(): string[] {
    return [...this.#faults.values()];
  }

  /** Call every second with the nodes that are heard. */
  async look(nodes: readonly Pick<HeardNode, 'name' | 'settings'>[]): Promise<void> {
    const { prints, askServers, onWarning } = this.#parts;
    if (this.#looks++ % LOOKS_PER_QUESTION === 0) {
      const servers = await askServers();
      if (servers.length > 0) this.#servers = servers;
    }
    const faults = new Map<string, string>();
    const own = prints();
    for (const { name, settings } of nodes) {
      const names = settings === undefined ? [] : differingIn(own, settings);
      if (names.length > 0) faults.set(`node ${name}`, nodeDiffers(name, names));
    }
    for (const each of this.#servers) {
      const sentence = this.#serverFault(each);
      if (sentence !== null) faults.set(`server ${each.name}`, sentence);
    }
    for (const [key, sentence] of faults) if (this.#faults.get(key) !== sentence) onWarning(sentence);
    this.#faults = faults;
  }

  #serverFault({ name, isSynced, messageBytesMax }: LogServerSettings): string | null {
    const { messageBytesMin } = this.#parts;
    if (!isSynced)
      return `log server ${shortened(name)} acknowledges before it syncs: set sync_interval to always`;
    if (messageBytesMax < messageBytesMin)
      return `log server ${shortened(name)} takes messages of ${messageBytesMax} bytes: set max_payload to ${messageBytesMin} or more`;
    return null;
  }
}

function nodeDiffers(name: string, names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((each) => shortened(each));
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return `settings of ${shortened(name)} differ from this node's: ${shown.join(', ')}${more}`;
}
