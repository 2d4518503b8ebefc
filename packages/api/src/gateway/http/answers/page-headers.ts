/** Browser security headers of the exchange's pages. */

export interface PagePolicy {
  /** Sources of styles besides the exchange's own files. */
  readonly styles: "'unsafe-inline'" | '';
  /** Besides this exchange itself, where the page may connect to. */
  readonly connections: readonly string[];
}

/**
 * Scripts are files of this exchange and nothing else: no inline script, no `eval`, no other origin. The page can be
 * in no frame, sends no form and takes no other base, and a window that opened it cannot reach into it.
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
    // For browsers that do not know frame-ancestors.
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
