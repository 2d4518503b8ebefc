/**
 * Assertions: conditions that must always or never hold, their state, and the first event that broke one. Also waits
 * for expected events.
 */

import { useEffect, useRef, useState } from 'react';
import { useSending } from '../exchange/query-client.ts';
import { callSandbox } from '../session/sandbox.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { AreaField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Badge, Empty, sentenceOf } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { readObject, useControl, useControlCalls } from './control.ts';

interface Assertion {
  readonly name: string;
  readonly holds: boolean;
  readonly always?: object;
  readonly never?: object;
  readonly brokenBy?: object | null;
}

const EXAMPLE = `{
  "name": "alice has at most 3 open orders",
  "always": { "user": "alice", "openOrdersMax": 3 }
}`;

export function AssertionPanel() {
  const { data: assertions = [] } = useControl<readonly Assertion[]>('/assertions');
  const { send, isPending } = useControlCalls();
  const [text, setText] = useState(EXAMPLE);
  const assertion = readObject(text);
  return (
    <>
      <DrawerSection title="Assertions" about="Checked after every record until removed.">
        {assertions.length === 0 && <Empty icon="check" title="No assertions yet" />}
        <ul className="flex flex-col gap-1">
          {assertions.map(({ name, holds, always, never, brokenBy }) => (
            <li key={name} className="rounded-md border border-line p-2 text-xs">
              <div className="flex items-center gap-2">
                <Badge tone={holds ? 'up' : 'danger'}>{holds ? 'holds' : 'broken'}</Badge>
                <strong className="min-w-0 flex-1 truncate font-medium">{name}</strong>
                <IconButton
                  icon="cross"
                  size="small"
                  label={`Remove ${name}`}
                  onClick={() =>
                    send({
                      method: 'DELETE',
                      path: `/assertions/${encodeURIComponent(name)}`,
                      done: 'Assertion removed',
                    })
                  }
                />
              </div>
              <code className="block break-all text-muted">{JSON.stringify({ always, never })}</code>
              {brokenBy && (
                <pre className="mt-1 max-h-40 overflow-auto rounded bg-raised p-2 break-all whitespace-pre-wrap">
                  {JSON.stringify(brokenBy, null, 2)}
                </pre>
              )}
            </li>
          ))}
        </ul>
      </DrawerSection>
      <DrawerSection title="Add an assertion">
        <AreaField
          label="Assertion"
          rows={5}
          value={text}
          onValue={setText}
          error={assertion === undefined ? 'This is not a JSON object.' : ''}
        />
        <Button
          className="self-start"
          isBusy={isPending}
          disabled={assertion === undefined}
          onClick={() =>
            assertion &&
            send({ method: 'POST', path: '/assertions', body: assertion, done: 'Assertion added' })
          }
        >
          Add
        </Button>
      </DrawerSection>
      <ExpectSection />
    </>
  );
}

type Expected =
  | { readonly met: true; readonly event: object }
  | { readonly met: false; readonly closest: readonly object[] };

const EXPECTATION = `{
  "event": { "kind": "fill", "where": { "user": "alice" } },
  "withinMs": 30000,
  "clock": "wall"
}`;

/** Waits for a matching event and shows it, or after the timeout the nearest misses. */
function ExpectSection() {
  const [text, setText] = useState(EXPECTATION);
  const expectation = readObject(text);
  const ending = useRef<AbortController>(undefined);
  const { mutate, isPending, data } = useSending({
    mutationFn: (body: object) => {
      ending.current = new AbortController();
      return callSandbox<Expected>('POST', '/expect', { body, signal: ending.current.signal });
    },
    onError: (error) => {
      if (!ending.current!.signal.aborted)
        showToast('refused', 'The sandbox rejected the call', sentenceOf(error));
    },
  });
  useEffect(() => () => ending.current?.abort(), []);
  return (
    <DrawerSection
      title="Expect an event"
      about="Waits for the next matching event: order, fill, balance, trade or request."
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
          {isPending ? 'Waiting…' : 'Start waiting'}
        </Button>
        {isPending && <Button onClick={() => ending.current?.abort()}>Stop waiting</Button>}
      </div>
      {data !== undefined && <Answer {...data} />}
    </DrawerSection>
  );
}

function Answer(expected: Expected) {
  const shown = expected.met ? expected.event : expected.closest;
  return (
    <div role="status" className="flex flex-col items-start gap-1.5 text-xs">
      <Badge tone={expected.met ? 'up' : 'warning'}>{expected.met ? 'met' : 'not met'}</Badge>
      {!expected.met && (
        <p className="text-muted">
          {expected.closest.length === 0 ? 'No similar event.' : 'Nearest events:'}
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
