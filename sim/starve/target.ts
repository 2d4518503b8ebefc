/** The attacked exchange. */
export interface Target {
  readonly url: string;
  readonly port: number;
}
