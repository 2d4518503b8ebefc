/** What must always or never be so, whether it holds, and the first event that broke it; and events that are waited for. */

import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { AreaField } from '../ui/field.tsx';
import { Empty } from '../ui/states.tsx';
import { useControl, useControlCalls } from './control.ts';
import { ExpectSection } from './expect-section.tsx';
import { readObject } from './read-object.ts';
import { Section } from './section.tsx';

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
      <Section title="Assertions" about="Checked after every record until removed.">
        {assertions.length === 0 && <Empty icon="check" title="Nothing is asserted" />}
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
                      done: 'Removed',
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
      </Section>
      <Section title="Add an assertion">
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
            assertion && send({ method: 'POST', path: '/assertions', body: assertion, done: 'It is watched' })
          }
        >
          Add
        </Button>
      </Section>
      <ExpectSection />
    </>
  );
}
