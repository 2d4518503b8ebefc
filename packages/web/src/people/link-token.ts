/** The token of a mail's link. It leaves the address bar at once, so that no history and no shared address has it. */

import { useState } from 'react';

export function useLinkToken(): string {
  const [token] = useState(() => {
    const found = new URLSearchParams(location.search).get('token') ?? '';
    if (found !== '') history.replaceState(history.state, '', location.pathname);
    return found;
  });
  return token;
}
