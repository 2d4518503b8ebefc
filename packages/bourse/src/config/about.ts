/** Documentation of settings. */

/** The documentation of a setting, beside its JSON schema. */
export interface About {
  readonly description: string;
  /** '' if there is none: names, paths, switches. */
  readonly unit: string;
  readonly group: string;
  /** Never shown, and without a flag, because every user of the machine can read a process's arguments. */
  readonly secret?: true;
  /** What the setting accepts, if its bounds do not say it. */
  readonly expects?: string;
}

/** Makes the descriptions of one group of settings. */
export function about(group: string) {
  return (description: string, unit = ''): About => ({ description, unit, group });
}
