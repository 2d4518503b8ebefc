/** What every setting says about itself. */

/** What a setting says about itself besides its JSON schema. */
export interface About {
  readonly description: string;
  /** '' for things that have none: names, paths, switches. */
  readonly unit: string;
  readonly group: string;
  /** Never shown; and no flag, because every user of the machine may read a process's arguments. */
  readonly secret?: true;
  /** What the setting accepts, in words, where its bounds do not say it. */
  readonly expects?: string;
}

/** Makes the descriptions of one group of settings. */
export function about(group: string) {
  return (description: string, unit = ''): About => ({ description, unit, group });
}
