/** One key and what it does. */

export interface Shortcut {
  readonly key: string;
  readonly about: string;
  readonly run: () => void;
}
