/** The token of a mail's link. It is removed from the address bar at once, so that it is in no history or shared URL. */

import { useState } from 'react';

export function useLinkToken(): string {
  const [token] = useState(() => {
    const found = new URLSearchParams(location.search).get('token') ?? '';
    if (found !== '') history.replaceState(history.state, '', location.pathname);
    return found;
  });
  return token;
}
