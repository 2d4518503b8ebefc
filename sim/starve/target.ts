/** The exchange that is attacked. */
export interface Target {
  readonly url: string;
  readonly port: number;
}
