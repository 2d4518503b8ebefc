/** The last requests with their responses; for a rejected signature, also the text that should have been signed. */

import { useState } from 'react';
import { Checkbox, TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { Badge, Empty, sentenceOf } from '../ui/states.tsx';
import { clockTime } from '../ui/text.ts';
import { type Request, REQUESTS_SHOWN, useOwnRequests, useRequestTail, withoutOwn } from './request-tail.ts';

export function RequestPanel() {
  const [user, setUser] = useState('');
  const [isOwnHidden, setIsOwnHidden] = useState(false);
  const { requests: all, error } = useRequestTail(user.trim());
  const own = useOwnRequests();
  const requests = isOwnHidden ? withoutOwn(all, own) : all;
  return (
    <DrawerSection
      title="Requests"
      about={`The last ${REQUESTS_SHOWN} as they come, the newest first. Secrets and passphrases never appear.`}
    >
      <TextField
        label="Of user"
        placeholder="everybody"
        value={user}
        onValue={setUser}
        error={error === null ? '' : sentenceOf(error)}
        className="max-w-60"
      />
      <Checkbox label="Hide the requests of this page" isChecked={isOwnHidden} onChecked={setIsOwnHidden} />
      {requests.length === 0 && <Empty icon="pulse" title="No requests yet" />}
      <ul className="flex flex-col gap-1">
        {requests.map((request) => (
          <li key={request.id}>
            <Entry request={request} />
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

function Entry({ request }: { readonly request: Request }) {
  const { method, path, query, body, status, code, answer, durationUs, user, wallTime, fault, signed } =
    request;
  return (
    <details className="rounded-md border border-line text-xs">
      <summary className="flex cursor-pointer items-center gap-2 px-2 py-1.5">
        <time dateTime={new Date(wallTime).toISOString()} className="shrink-0 text-faint">
          {clockTime(wallTime)}
        </time>
        <Badge tone={status < 400 && status > 0 ? 'up' : 'danger'}>{status || 'cut'}</Badge>
        <span className="w-10 shrink-0 font-medium">{method}</span>
        <span className="min-w-0 flex-1 truncate">{path}</span>
        {fault !== undefined && <Badge tone="warning">fault</Badge>}
        <span className="shrink-0 text-faint">{user ?? 'nobody'}</span>
        <span className="shrink-0 text-faint">{(durationUs / 1000).toFixed(1)} ms</span>
      </summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line p-2">
        <Fact name="time" text={new Date(wallTime).toISOString()} />
        <Fact name="code" text={code} />
        <Fact name="query" text={query} />
        <Fact name="body" text={body} />
        <Fact name="answer" text={answer} />
        {signed !== undefined && <Fact name="text that should have been signed" text={signed.expected} />}
      </dl>
    </details>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-mono break-all whitespace-pre-wrap">{text}</dd>
    </>
  );
}
