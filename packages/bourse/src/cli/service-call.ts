/** A call of a running service. Not with `fetch`, which times out after five minutes; an advance of a week may take longer. */

import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { readUnixUrl } from '@bourse/engine';

export interface ServiceCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Called with each chunk of a successful response. */
  readonly onPiece?: (text: string) => void;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
}

export function callService(
  url: string,
  { method, headers, body, onPiece }: ServiceCall,
): Promise<ServiceAnswer> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, ...length },
      agent: false,
      ...readUnixUrl(url),
    } as const;
    const sent = request(readUnixUrl(url) ? 'http://localhost' : url, options, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (onPiece && status === 200) onPiece(piece);
        else text += piece;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
