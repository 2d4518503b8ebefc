/** Browser security headers of the exchange's pages. */

export interface PagePolicy {
  /** Style sources besides the exchange's own files. */
  readonly styles: "'unsafe-inline'" | '';
  /** Origins that the page may connect to, besides this exchange. */
  readonly connections: readonly string[];
}

/**
 * Scripts are only files of this exchange: no inline script, no `eval`, no other origin. The page cannot be framed,
 * cannot submit forms or change its base URL, and a window that opened it cannot access it.
 */
export function pageHeaders({ styles, connections }: PagePolicy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", styles].join(' ').trim(),
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    // For browsers without support for frame-ancestors.
    'x-frame-options': 'DENY',
    ...FILE_HEADERS,
  };
}

/** For all files of a page: no MIME sniffing, and no loading by other sites. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;
