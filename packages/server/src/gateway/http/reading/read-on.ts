/**
 * Reads on behind a request for an upgrade that it does not get, such as the `Upgrade: h2c` that clients of HTTP/2 try
 * their luck with. Node's parser stops behind every such request, and Node forgets the rest of what was read with it:
 * whole requests, which would have no answer, or the head of one whose body would then be taken for requests.
 */

/** Of Node's parser, what its types do not name. */
export interface ReadingParser {
  /** Called when the parser is through with what was read: with how many bytes it has taken, or with what is wrong. */
  [ON_EXECUTE]: (taken: number | Error) => void;
  execute(bytes: Buffer): number | Error;
  /** A copy of what was read. */
  getCurrentBuffer(): Buffer;
}

const ON_EXECUTE = 5;

/** To be called once for a connection, which its parser serves until it ends. `isLeft`: nothing more of it is taken. */
export function readOn(parser: ReadingParser, isLeft: () => boolean): void {
  const onExecute = parser[ON_EXECUTE];
  parser[ON_EXECUTE] = (taken) => {
    const bytes = parser.getCurrentBuffer();
    let end = taken;
    while (typeof end === 'number' && end < bytes.length && !isLeft()) {
      const more = parser.execute(bytes.subarray(end));
      end = typeof more === 'number' ? end + more : more;
    }
    onExecute(end);
  };
}
