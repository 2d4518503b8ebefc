/** podman with its own storage below one directory: it touches no other images, containers or volumes. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Debian packages that contain them. */
const TOOLS = new Map([
  ['debootstrap', 'debootstrap'],
  ['podman', 'podman'],
  ['podman-compose', 'podman-compose'],
  ['runc', 'runc'],
  ['/usr/lib/podman/netavark', 'netavark'],
  ['/usr/lib/podman/aardvark-dns', 'aardvark-dns'],
]);

/** Why it cannot run here; null if it can. */
export function whyNot(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Only root on Linux can run it.';
  const missing = [...TOOLS].filter(([tool]) => spawnSync(tool, ['--version']).error !== undefined);
  return missing.length === 0
    ? null
    : `Tools are missing: run \`apt-get install ${missing.map(([, name]) => name).join(' ')}\`.`;
}

export class Podman {
  readonly #dir: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true });
    // podman's own container limits exceed what this process may grant, and crun rejects machines with both versions
    // of cgroups.
    const limits = [`"nofile=${filesMax()}:${filesMax()}"`, `"nproc=${PROCESSES}:${PROCESSES}"`];
    writeFileSync(
      join(dir, 'containers.conf'),
      `[containers]\ndefault_ulimits = [${limits.join(', ')}]\n[engine]\nruntime = "runc"\nevents_logger = "file"\n`,
    );
    writeFileSync(
      join(dir, 'storage.conf'),
      `[storage]\ndriver = "overlay"\ngraphroot = "${join(dir, 'storage')}"\nrunroot = "${join(dir, 'run')}"\n`,
    );
    this.#env = {
      ...process.env,
      CONTAINERS_CONF: join(dir, 'containers.conf'),
      CONTAINERS_STORAGE_CONF: join(dir, 'storage.conf'),
    };
  }

  /** Returns its output. Throws an error with its error output. */
  run(args: readonly string[], input?: string): string {
    return this.#run('podman', args, input);
  }

  compose(dir: string, project: string, ...args: readonly string[]): string {
    return this.#run('podman-compose', ['-p', project, '-f', join(dir, 'compose.yaml'), ...args]);
  }

  isHealthy(container: string): boolean {
    return spawnSync('podman', ['healthcheck', 'run', container], { env: this.#env }).status === 0;
  }

  /** The last lines of a container's output. */
  lastWords(container: string): string {
    const { stdout, stderr } = spawnSync('podman', ['logs', '--tail', '8', container], {
      ...TEXT,
      env: this.#env,
    });
    return (stdout + stderr).slice(-2000);
  }

  hasImage(name: string): boolean {
    return spawnSync('podman', ['image', 'exists', name], { env: this.#env }).status === 0;
  }

  /** Debian's minimal system, under the name in `FROM debian:SUITE-slim`. */
  importBase(suite: string, mirror: string): void {
    const base = join(this.#dir, 'base');
    rmSync(base, { recursive: true, force: true });
    this.#run('debootstrap', ['--variant=minbase', suite, base, mirror]);
    // The lists of a snapshot mirror have expired; their signature is still checked.
    writeFileSync(join(base, 'etc/apt/apt.conf.d/90valid-until'), 'Acquire::Check-Valid-Until "false";\n');
    // This machine's CA certificates: its package proxy may have its own.
    const trusted = 'usr/local/share/ca-certificates';
    if (existsSync(join('/', trusted)))
      execFileSync('cp', ['-r', join('/', trusted, '.'), join(base, trusted)]);
    const archive = join(this.#dir, 'base.tar');
    this.#run('tar', ['-C', base, '-cf', archive, '.']);
    this.run(['import', archive, baseName(suite)]);
    rmSync(archive);
    rmSync(base, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[], input?: string): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      ...TEXT,
      env: this.#env,
      maxBuffer: 1 << 28,
      ...(input !== undefined && { input }),
    });
    if (status === 0) return stdout;
    throw new Error(
      `${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${(stdout + stderr).slice(-3000)}`,
    );
  }
}

/**
 * The proxy needs the maximum number of open files; the process limit must not exceed this process's own, because
 * runc cannot raise it.
 */
const PROCESSES = 4096;

function filesMax(): number {
  return Number(
    /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 65_536,
  );
}

export const baseName = (suite: string): string => `localhost/debian:${suite}-slim`;

const TEXT = { encoding: 'utf8' } as const;
