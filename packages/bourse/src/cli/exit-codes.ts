/** Exit codes of the command line. */

export const EXIT = {
  done: 0,
  /** The service rejected it, or something broke. */
  failed: 1,
  /** Invalid arguments or configuration: nothing was tried. */
  usage: 2,
  /** Nothing responds at that address. */
  unreachable: 3,
  /** The data directory is damaged, or another process has it. */
  data: 4,
} as const;

export const EXIT_HELP = `
Exit codes: 0 done, 1 refused or failed, 2 wrong arguments or configuration, 3 no answer from the service, 4 data directory damaged or in use.`;

/** Ends the command with a message and an exit code; thrown by any command, caught in main.ts. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
