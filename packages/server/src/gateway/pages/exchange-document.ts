/**
 * What the pages must know before they ask for anything: which kind of exchange this is, how its dialects are spoken,
 * and in a sandbox the published keys. A venue has nothing to publish: there users and operators enter what they have.
 */

import type { Dialect } from '../dialects.ts';
import type { Documents } from '../http/documents.ts';
import { FILE_HEADERS } from '../http/page-headers.ts';

export interface PublishedKey {
  readonly name: string;
  readonly userId: string;
  readonly parent: string | null;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly string[];
}

export interface ExchangeDocument {
  readonly kind: 'sandbox' | 'venue';
  readonly dialects: readonly Pick<Dialect, 'name' | 'mount' | 'prefix'>[];
  /** Of a sandbox's beginning. */
  readonly users: readonly PublishedKey[];
  /** Only the one that is published; null where the operator has another. */
  readonly operatorToken: string | null;
}

export const EXCHANGE_DOCUMENT_PATH = '/pages/exchange.json';

export function addExchangeDocument(documents: Documents, content: ExchangeDocument): void {
  documents.add(EXCHANGE_DOCUMENT_PATH, {
    type: 'application/json',
    make: () => JSON.stringify(content),
    headers: FILE_HEADERS,
  });
}
