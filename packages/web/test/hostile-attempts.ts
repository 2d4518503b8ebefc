/**
 * What a web page can try against an exchange on its reader's machine. Each attempt runs in the page and returns its
 * result.
 */

/** The published credentials of a sandbox. */
export interface Loot {
  /** The exchange's URL. */
  readonly base: string;
  readonly token: string;
  readonly order: string;
  readonly orderHeaders: Readonly<Record<string, string>>;
  readonly readHeaders: Readonly<Record<string, string>>;
  readonly sessionQuery: string;
}

export interface Attempt {
  readonly name: string;
  /** The function is sent to the page as text, so it must not use outer variables. */
  readonly run: (loot: Loot) => Promise<string>;
}

export interface Gained {
  readonly from: string;
  readonly name: string;
  readonly got: string;
}

export const attempts: readonly Attempt[] = [
  {
    name: 'halt a market with the published token',
    run: async ({ base, token }) => {
      try {
        const response = await fetch(`${base}/operator/v1/symbols/BTC-USDT/state`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ state: 'halted', reason: 'because' }),
        });
        return `${response.status} ${await response.text()}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'the same as a simple request, which is sent without asking',
    run: async ({ base }) => {
      try {
        const { type } = await fetch(`${base}/operator/v1/symbols/BTC-USDT/state`, {
          method: 'POST',
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
          body: JSON.stringify({ state: 'halted', reason: 'because' }),
        });
        return type === 'opaque' ? 'opaque' : 'no way in';
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'the same as a form',
    run: async ({ base }) => {
      const form = document.createElement('form');
      const field = document.createElement('input');
      const frame = document.createElement('iframe');
      frame.name = 'answers';
      form.action = `${base}/operator/v1/symbols/BTC-USDT/state`;
      form.method = 'POST';
      form.enctype = 'text/plain';
      form.target = 'answers';
      field.name = '{"state":"halted","reason":"because","x":"';
      field.value = '"}';
      form.append(field);
      document.body.append(frame, form);
      form.submit();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return 'no answer';
    },
  },
  {
    name: 'list the users with the published token',
    run: async ({ base, token }) => {
      try {
        const response = await fetch(`${base}/operator/v1/users`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return `${response.status} ${await response.text()}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'stop the clock of the sandbox',
    run: async ({ base, token }) => {
      try {
        const response = await fetch(`${base}/sandbox/v1/clock`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"mode":"manual"}',
        });
        return `${response.status} ${await response.text()}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'read the tail of requests as an event source',
    run: ({ base }) =>
      new Promise((resolve) => {
        const source = new EventSource(`${base}/sandbox/v1/requests/tail`);
        source.addEventListener('open', () => resolve('opened'));
        source.addEventListener('error', () => resolve('no way in'));
      }),
  },
  {
    name: 'place an order signed with a published key',
    run: async ({ base, order, orderHeaders }) => {
      try {
        const response = await fetch(`${base}/api/v1/hf/orders`, {
          method: 'POST',
          headers: { ...orderHeaders, 'content-type': 'application/json' },
          body: order,
        });
        return `${response.status} ${await response.text()}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'place an order as a simple request',
    run: async ({ base, order }) => {
      try {
        const { type } = await fetch(`${base}/api/v1/hf/orders`, {
          method: 'POST',
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
          body: order,
        });
        return type === 'opaque' ? 'opaque' : 'no way in';
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'place an order as a beacon',
    run: async ({ base, order }) => {
      navigator.sendBeacon(`${base}/api/v1/hf/orders`, new Blob([order], { type: 'text/plain' }));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return 'no answer';
    },
  },
  {
    name: 'read balances with the published key',
    run: async ({ base, readHeaders }) => {
      try {
        const response = await fetch(`${base}/api/v1/accounts`, { headers: readHeaders });
        return `${response.status} ${(await response.text()).slice(0, 60)}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'read the book, which is public',
    run: async ({ base }) => {
      try {
        const response = await fetch(`${base}/api/v1/market/orderbook/level2_20?symbol=BTC-USDT`);
        return `${response.status} ${(await response.text()).slice(0, 60)}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'read the metrics',
    run: async ({ base }) => {
      try {
        const response = await fetch(`${base}/metrics`);
        return `${response.status} ${(await response.text()).slice(0, 60)}`;
      } catch {
        return 'blocked by the browser';
      }
    },
  },
  {
    name: 'open order entry, a websocket, with a published key',
    run: ({ base, sessionQuery }) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/private?${sessionQuery}`);
        socket.addEventListener('message', ({ data }) => resolve(`message ${String(data)}`));
        socket.addEventListener('close', () => resolve('closed before it was open'));
      }),
  },
  {
    name: 'open the feed, a websocket',
    run: ({ base }) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${base.replace('http', 'ws')}/feed?token=x`);
        socket.addEventListener('open', () => resolve('open'));
        socket.addEventListener('close', () => resolve('closed before it was open'));
      }),
  },
  {
    name: 'load an answer as a script and a picture',
    run: async ({ base }) => {
      const load = (element: HTMLScriptElement | HTMLImageElement): Promise<boolean> =>
        new Promise((resolve) => {
          element.addEventListener('load', () => resolve(true));
          element.addEventListener('error', () => resolve(false));
          document.body.append(element);
        });
      const script = document.createElement('script');
      const picture = document.createElement('img');
      script.src = `${base}/operator/v1/users`;
      picture.src = `${base}/sandbox/v1/snapshots`;
      return (await load(script)) || (await load(picture)) ? 'loaded' : 'no way in';
    },
  },
  {
    // The test inspects the frames, because the page itself cannot read them.
    name: 'put the console, the terminal and /docs into a frame',
    run: async ({ base }) => {
      for (const path of ['/console', '/trade/BTC-USDT', '/docs/reference']) {
        const frame = document.createElement('iframe');
        frame.src = base + path;
        await new Promise((resolve) => {
          frame.addEventListener('load', resolve);
          document.body.append(frame);
        });
      }
      return 'no answer';
    },
  },
  {
    name: 'open the console in a window and keep a hand in it',
    run: async ({ base }) => {
      const opened = window.open(`${base}/console`);
      if (opened === null) return 'blocked by the browser';
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (opened.closed) return 'no way in';
      try {
        const text = opened.document.documentElement.innerText;
        return text.includes('"400015"') ? `403 ${text}` : `reached ${text.slice(0, 60)}`;
      } catch {
        return 'no way in';
      }
    },
  },
];
