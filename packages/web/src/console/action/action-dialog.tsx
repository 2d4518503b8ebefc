/**
 * Buttons for an operator's actions, and the dialog of three steps: form, preview, result. Read-only operators get no
 * buttons; actions that the operator's roles do not allow are disabled and name the roles that may.
 */

import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { queryClient, useSending } from '../../exchange/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { Loading, sentenceOf } from '../../ui/states.tsx';
import { callOperator, useOperator } from '../operator/operator.ts';
import { type Call, useCalls } from '../operator/queries.tsx';
import { anyOf, formLabelOf, plainly, timeOf } from '../words.ts';
import { ActionForm, firstEntries } from './action-form.tsx';
import { type Action, type ActionRequest, formFieldsOf } from './action.ts';

export interface Actions {
  /** `name` is the label if the title is too long. Null for read-only operators. */
  readonly button: (action: Action, name?: string) => ReactNode;
  /** Renders the action as a menu item. */
  readonly item: (action: Action, name?: string) => ReactNode;
  readonly mayChange: boolean;
  readonly dialog: ReactNode;
}

export function useActions(): Actions {
  const [action, setAction] = useState<Action | null>(null);
  const operator = useOperator();
  const calls = useCalls();
  return {
    button: (each, name = each.title) => {
      if (operator?.mayChange !== true) return null;
      const isAllowed = operator.calls.includes(each.call);
      const title = isAllowed ? each.title : `${each.title}: ${lacking(calls?.get(each.call)?.roles)}`;
      return (
        <Button
          key={each.title}
          size="small"
          kind={name === each.title ? 'neutral' : 'quiet'}
          aria-label={title}
          title={title}
          disabled={!isAllowed}
          onClick={() => setAction(each)}
        >
          {name}
        </Button>
      );
    },
    item: (each, name = each.title) => {
      const isAllowed = operator?.calls.includes(each.call) === true;
      return (
        <MenuItem key={each.title} isDisabled={!isAllowed} onSelect={() => setAction(each)}>
          {isAllowed ? name : `${name}: ${lacking(calls?.get(each.call)?.roles)}`}
        </MenuItem>
      );
    },
    mayChange: operator?.mayChange === true,
    dialog: <ActionDialog action={action} onClose={() => setAction(null)} />,
  };
}

export const lacking = (roles: readonly string[] = []): string => `only for ${anyOf(roles)}`;

export interface ActionDialogProps {
  readonly action: Action | null;
  readonly onClose: () => void;
  /** Called after success, instead of showing the result. */
  readonly onDone?: () => void;
}

export function ActionDialog({ action, onClose, onDone = onClose }: ActionDialogProps) {
  const calls = useCalls();
  const call = action === null ? undefined : calls?.get(action.call);
  const sending = useSendingRequest();
  /** The next action starts without the result of this one. */
  const leave = (close: () => void): void => {
    sending.reset();
    close();
  };
  return (
    <Dialog
      isOpen={action !== null}
      onOpen={(isOpen) => !isOpen && leave(onClose)}
      isBusy={sending.isPending}
      title={action?.title ?? ''}
      about={plainly(call?.summary ?? '')}
      className="w-[min(40rem,calc(100vw-1.5rem))]"
    >
      {action !== null && call !== undefined ? (
        <Steps key={action.title} {...{ action, call, sending }} onDone={() => leave(onDone)} />
      ) : (
        <Loading label="Loading the form" />
      )}
    </Dialog>
  );
}

const useSendingRequest = () =>
  useSending({
    mutationFn: ({ method, path, body }: ActionRequest) => callOperator<unknown>(method, path, body),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['operator'] }),
  });

interface StepsProps {
  readonly action: Action;
  readonly call: Call;
  readonly sending: ReturnType<typeof useSendingRequest>;
  readonly onDone: () => void;
}

function Steps({ action, call, sending, onDone }: StepsProps) {
  const [fields] = useState(
    () =>
      action.questions?.fields ??
      formFieldsOf(
        call,
        new Set([...Object.keys(action.given ?? {}), ...(action.left ?? [])]),
        action.required,
      ),
  );
  const [entries, setEntries] = useState(() => firstEntries(action, fields));
  const [reason, setReason] = useState('');
  const [request, setRequest] = useState<ActionRequest | null>(null);
  if (sending.isSuccess) return <Result answer={sending.data} onClose={onDone} />;
  if (request === null) {
    return (
      <ActionForm
        {...{ action, call, fields, entries, reason }}
        onEntries={setEntries}
        onReason={setReason}
        onReady={setRequest}
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Preview action={action} request={request} reason={reason.trim()} />
      {sending.isError && (
        <p role="alert" className="rounded-md bg-danger-tint px-3 py-2 text-xs text-danger">
          {sentenceOf(sending.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button
          isBusy={sending.isPending}
          onClick={() => {
            sending.reset();
            setRequest(null);
          }}
        >
          Back
        </Button>
        <Button
          kind={action.isDangerous === true ? 'danger' : 'primary'}
          isBusy={sending.isPending}
          onClick={() => sending.mutate(request)}
        >
          {action.title}
        </Button>
      </div>
    </div>
  );
}

interface PreviewProps {
  readonly action: Action;
  readonly request: ActionRequest;
  readonly reason: string;
}

function Preview({ action, request, reason }: PreviewProps) {
  const { method, path, body, changes } = request;
  const operator = useOperator();
  return (
    <section aria-label="What will happen" className="flex flex-col gap-3">
      {body !== undefined && action.effect?.(body)}
      <p>{action.consequence}</p>
      {changes.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border border-line bg-raised p-3 text-xs">
          {changes.map(({ name, before, after }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{formLabelOf(name)}</dt>
              <dd className="min-w-0 break-words">
                {before !== undefined && (
                  <span className="text-faint line-through">{before || 'nothing'}</span>
                )}{' '}
                <strong className="font-medium whitespace-pre-wrap">{after}</strong>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="text-xs text-muted">
        In the audit trail: <strong className="font-medium text-text">{operator?.name}</strong>, “{reason}”.
      </p>
      <details className="text-xs">
        <summary className="cursor-pointer text-muted">The request</summary>
        <pre
          tabIndex={0}
          className="mt-2 max-h-60 overflow-auto rounded-md bg-raised p-3 font-mono break-all whitespace-pre-wrap"
        >
          {`${method} /operator${path}${body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}`}`}
        </pre>
      </details>
    </section>
  );
}

function Result({ answer, onClose }: { readonly answer: unknown; readonly onClose: () => void }) {
  const held = heldOf(answer);
  const secrets = secretsOf(answer);
  return (
    <section aria-label="Result" className="flex flex-col gap-3">
      {held === undefined ? (
        <p role="status" className="text-good">
          Done: durable and in force.
        </p>
      ) : (
        <HeldNote held={held} onLeave={onClose} />
      )}
      {secrets.length > 0 && (
        <ShownOnce
          title={
            held === undefined
              ? 'Copy it now: it is shown once.'
              : 'Copy it now: it is shown once, and works when the proposal is approved.'
          }
          facts={secrets}
          onDone={onClose}
        />
      )}
      {held === undefined && (
        <details open={secrets.length === 0} className="text-xs">
          <summary className="cursor-pointer text-muted">The answer</summary>
          <pre
            tabIndex={0}
            className="mt-2 max-h-80 overflow-auto rounded-md bg-raised p-3 font-mono break-all whitespace-pre-wrap"
          >
            {JSON.stringify(answer, null, 2)}
          </pre>
        </details>
      )}
      {secrets.length === 0 && (
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </section>
  );
}

/** Secrets in responses, returned only once and therefore shown with a copy button. */
const SECRETS: ReadonlyMap<string, string> = new Map([
  ['token', 'Token'],
  ['invitation', 'Invitation'],
  ['apiKey', 'Key'],
  ['apiSecret', 'Secret'],
  ['apiPassphrase', 'Passphrase'],
]);

function secretsOf(answer: unknown): (readonly [string, string])[] {
  const given = new Map(Object.entries((answer ?? {}) as object));
  const facts = [...SECRETS]
    .filter(([name]) => typeof given.get(name) === 'string')
    .map(([name, label]) => [label, String(given.get(name))] as const);
  // A key without its secret, as after a change, is not a secret.
  return facts.length === 1 && facts[0]![0] === 'Key' ? [] : facts;
}

/** The response of a call under policy: it became a proposal, which others must approve. */
interface Held {
  readonly proposalId: string;
  readonly hash: string;
  readonly expires: number;
}

/** Undefined if the call was executed. */
function heldOf(answer: unknown): Held | undefined {
  if (typeof answer !== 'object' || answer === null || !('proposalId' in answer)) return undefined;
  // The response of an approval is a proposal itself, and has a status.
  return 'status' in answer ? undefined : (answer as unknown as Held);
}

interface HeldNoteProps {
  readonly held: Held;
  readonly onLeave: () => void;
}

function HeldNote({ held, onLeave }: HeldNoteProps) {
  return (
    <div role="status" className="rounded-md bg-warning-tint p-3 text-xs">
      <p className="font-medium text-warning">Proposed: nothing has changed yet.</p>
      <p className="mt-1 text-muted">
        The policy requires the approval of others. They have until {timeOf(held.expires).slice(0, 16)} UTC.
      </p>
      <Link
        href={`/console/proposals/${held.proposalId}`}
        onClick={onLeave}
        className="mt-2 inline-block font-medium text-accent hover:underline"
      >
        See the proposal
      </Link>
    </div>
  );
}
