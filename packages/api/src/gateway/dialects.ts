/** The dialects of one service: they differ in headers and rendering, never in behaviour. */

export interface Dialect {
  readonly name: 'literal' | 'family';
  /** Before every path; the signed path never contains it. */
  readonly mount: string;
  /** The prefix of the signing headers: `SVC` gives `SVC-API-KEY` and so on. */
  readonly prefix: string;
  /** The literal dialect: exactly the document's fields, strict types, 4xx for business rejections, long messages. */
  readonly isLiteral: boolean;
}

export const DIALECTS: readonly Dialect[] = [
  { name: 'literal', mount: '', prefix: 'SVC', isLiteral: true },
  { name: 'family', mount: '/compat', prefix: 'KC', isLiteral: false },
];
