// The container image, built from an installed package with podman and without a registry.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildArguments, stageImage } from '../../scripts/image.mjs';
import { Podman } from '../../sim/compose/podman.ts';

/** Why the image cannot be built and run here, or null if it can. */
export function whyNoImage(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'the image is only tested as root on Linux';
  const missing = ['podman', 'runc'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
  return missing.length === 0 ? null : `the image is not tested: ${missing.join(' and ')} not found`;
}

/** Inside some containers podman cannot mount its storage or start anything; these are the ends of its messages. */
export function whyNoContainer({ podman }: Image): string | null {
  try {
    podman.run(['run', '--rm', '--network=host', NAME, '--version']);
    return null;
  } catch (error) {
    const { message } = error as Error;
    // 125: podman itself failed before it started the program.
    if (!message.includes('status 125')) throw error;
    return `the image is built and not run, podman cannot start containers here: ${message.split('\n')[1] ?? ''}`;
  }
}

export interface Image {
  readonly podman: Podman;
  readonly bytes: number;
  remove(): void;
}

const NAME = 'localhost/bourse';

export function buildImage(installed: string): Image {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-image-'));
  const podman = new Podman(join(folder, 'podman'));
  const context = join(folder, 'context');
  const remove = (): void => {
    podman.run(['rm', '--all', '--force', '--time', '0', '--volumes']);
    podman.run(['image', 'rm', '--all', '--force']);
    // A mount that podman creates for its storage in some cases.
    spawnSync('umount', [join(folder, 'podman/storage/overlay')]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    stageImage(installed, context, false);
    podman.run(buildArguments('podman', { base: 'scratch', tag: NAME, context }));
    const bytes = Number(podman.run(['image', 'inspect', '--format', '{{.Size}}', NAME]));
    return { podman, bytes, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export interface Container {
  readonly id: string;
  readonly url: string;
}

/** On the host's network, with a read-only root. */
export async function runContainer({ podman }: Image, ...options: readonly string[]): Promise<Container> {
  const port = await freePort();
  const id = podman
    .run([
      'run',
      '--detach',
      '--read-only',
      '--network=host',
      '--env',
      `BOURSE_PORT=${port}`,
      ...options,
      NAME,
      'start',
      '--market',
      'quiet',
    ])
    .trim();
  return { id, url: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
