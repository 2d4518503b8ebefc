/** Fault injection: scenarios, and single rules with the number of requests that each has hit. */

import { useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { AreaField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Badge, Empty } from '../ui/states.tsx';
import { readObject, useControl, useControlCalls } from './control.ts';

interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly running: boolean;
}

interface Rule {
  readonly id: string;
  readonly hits: number;
  readonly match?: object;
  readonly effect: { readonly kind: string };
  readonly probability?: number;
}

const EXAMPLE = `{
  "match": { "user": "alice", "route": "sync-place-order" },
  "effect": { "kind": "drop-reply" },
  "times": 1
}`;

export function FaultPanel() {
  const { data: scenarios = [] } = useControl<readonly Scenario[]>('/scenarios');
  const { data: rules = [] } = useControl<readonly Rule[]>('/faults');
  const { send, isPending } = useControlCalls();
  const [text, setText] = useState(EXAMPLE);
  const rule = readObject(text);
  return (
    <>
      <DrawerSection title="Scenarios">
        {scenarios.map(({ name, summary, running }) => (
          <div key={name} className="flex items-start gap-3 rounded-md border border-line p-3">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2 font-medium">
                {name} {running && <Badge tone="warning">running</Badge>}
              </p>
              <p className="mt-0.5 text-xs text-muted">{summary}</p>
            </div>
            <Button
              size="small"
              isBusy={isPending}
              aria-label={`${running ? 'End' : 'Start'} ${name}`}
              onClick={() =>
                send({
                  method: running ? 'DELETE' : 'POST',
                  path: `/scenarios/${name}`,
                  done: `${name} ${running ? 'ended' : 'started'}`,
                })
              }
            >
              {running ? 'End' : 'Start'}
            </Button>
          </div>
        ))}
      </DrawerSection>
      <DrawerSection title="Rules" about="Rules apply in this order. Hits count requests that were affected.">
        {rules.length === 0 && <Empty icon="flask" title="No fault rules" />}
        <ul className="flex flex-col gap-1">
          {rules.map(({ id, hits, match, effect, probability }) => (
            <li key={id} className="flex items-center gap-2 rounded-md border border-line px-2 py-1 text-xs">
              <Badge tone="warning">{effect.kind}</Badge>
              <code
                className="min-w-0 flex-1 truncate text-muted"
                title={JSON.stringify({ match, effect, probability })}
              >
                {JSON.stringify(match ?? {})}
              </code>
              <span className="text-muted">
                {hits} {hits === 1 ? 'hit' : 'hits'}
              </span>
              <IconButton
                icon="cross"
                size="small"
                label={`Remove the rule ${effect.kind}`}
                onClick={() => send({ method: 'DELETE', path: `/faults/${id}`, done: 'Rule removed' })}
              />
            </li>
          ))}
        </ul>
        {rules.length > 0 && (
          <Button
            size="small"
            isBusy={isPending}
            onClick={() => send({ method: 'DELETE', path: '/faults', done: 'All rules removed' })}
          >
            Remove all
          </Button>
        )}
      </DrawerSection>
      <DrawerSection title="Add a rule">
        <AreaField
          label="Rule"
          rows={6}
          value={text}
          onValue={setText}
          error={rule === undefined ? 'This is not a JSON object.' : ''}
        />
        <Button
          className="self-start"
          disabled={rule === undefined}
          isBusy={isPending}
          onClick={() => rule && send({ method: 'POST', path: '/faults', body: rule, done: 'Rule added' })}
        >
          Add
        </Button>
      </DrawerSection>
    </>
  );
}
