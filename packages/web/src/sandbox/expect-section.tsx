/** Waits for an event that fits, and shows it; or, when the time is over, those that came closest. */

import { useEffect, useRef, useState } from 'react';
import { useSending } from '../exchange/query-client.ts';
import { callSandbox } from '../session/sandbox.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { AreaField } from '../ui/field.tsx';
import { sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { readObject } from './read-object.ts';
import { Section } from './section.tsx';

type Expected =
  | { readonly met: true; readonly event: object }
  | { readonly met: false; readonly closest: readonly object[] };

const EXAMPLE = `{
  "event": { "kind": "fill", "where": { "user": "alice" } },
  "withinMs": 30000,
  "clock": "wall"
}`;

export function ExpectSection() {
  const [text, setText] = useState(EXAMPLE);
  const expectation = readObject(text);
  const ending = useRef<AbortController>(undefined);
  const { mutate, isPending, data } = useSending({
    mutationFn: (body: object) => {
      ending.current = new AbortController();
      return callSandbox<Expected>('POST', '/expect', { body, signal: ending.current.signal });
    },
    onError: (error) => {
      if (!ending.current!.signal.aborted) showToast('refused', 'The sandbox refused', sentenceOf(error));
    },
  });
  useEffect(() => () => ending.current?.abort(), []);
  return (
    <Section
      title="Expect an event"
      about="Waits for what comes from now on: order, fill, balance, trade or request."
    >
      <AreaField
        label="Expectation"
        rows={5}
        value={text}
        onValue={setText}
        error={expectation === undefined ? 'This is not a JSON object.' : ''}
      />
      <div className="flex gap-2">
        <Button
          isBusy={isPending}
          disabled={expectation === undefined}
          onClick={() => expectation && mutate(expectation)}
        >
          {isPending ? 'Waiting…' : 'Wait for it'}
        </Button>
        {isPending && <Button onClick={() => ending.current?.abort()}>Stop waiting</Button>}
      </div>
      {data !== undefined && <Answer {...data} />}
    </Section>
  );
}

function Answer(expected: Expected) {
  const shown = expected.met ? expected.event : expected.closest;
  return (
    <div role="status" className="flex flex-col items-start gap-1.5 text-xs">
      <Badge tone={expected.met ? 'up' : 'warning'}>{expected.met ? 'met' : 'not met'}</Badge>
      {!expected.met && (
        <p className="text-muted">
          {expected.closest.length === 0 ? 'Nothing came close.' : 'What came closest:'}
        </p>
      )}
      {(expected.met || expected.closest.length > 0) && (
        <pre className="max-h-60 w-full overflow-auto rounded bg-raised p-2 break-all whitespace-pre-wrap">
          {JSON.stringify(shown, null, 2)}
        </pre>
      )}
    </div>
  );
}
