/** The Travel Rule's questions: who sent a deposit. Until they are answered and accepted, its money waits. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatExact } from '../decimal/format.ts';
import { publicClient } from '../exchange/connection.ts';
import { ShowMeButton } from '../show-me/show-me.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { sentenceOf } from '../ui/states.tsx';
import { Segments } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAct } from '../user/actions.ts';
import type { Deposit } from '../user/types.ts';
import { submitQuestionnaire } from './money-actions.ts';

type Sender = 'individual' | 'company';

interface Question {
  readonly name: string;
  readonly label: string;
}

const questions: ReadonlyMap<Sender, readonly Question[]> = new Map([
  [
    'individual',
    [
      { name: 'firstName', label: 'First name' },
      { name: 'lastName', label: 'Last name' },
      { name: 'identityNo', label: 'Number of the identity document' },
    ],
  ],
  [
    'company',
    [
      { name: 'companyName', label: 'Name of the company' },
      { name: 'tin', label: 'Tax number' },
    ],
  ],
]);
const always: readonly Question[] = [
  { name: 'reasonOfTransfer', label: 'Reason of the transfer' },
  { name: 'wallet', label: 'Wallet or exchange it came from' },
];
/** Where the identity number is the national one. */
const NATIONAL_ID_COUNTRY = 'TR';

export function Questionnaire({
  deposit,
  onClose,
}: {
  readonly deposit: Deposit;
  readonly onClose: () => void;
}) {
  const [sender, setSender] = useState<Sender>('individual');
  const [country, setCountry] = useState('');
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const regions = useQuery({
    queryKey: ['regions'],
    queryFn: () =>
      publicClient.http.call<readonly { readonly code: string; readonly enName: string }[]>(
        'GET',
        '/kyc/regions/v4',
      ),
  }).data;
  const act = useAct();
  const asked = [...questions.get(sender)!, ...always];
  const isComplete = asked.every(({ name }) => (answers.get(name) ?? '').trim() !== '');
  const info = Object.fromEntries([
    ...asked.map(({ name }) => [name, answers.get(name) ?? '']),
    ...(sender === 'individual'
      ? [['identityType', country === NATIONAL_ID_COUNTRY ? 'TCKN' : 'PASSPORT']]
      : []),
    ...(country === '' ? [] : [['country', country]]),
  ]) as Readonly<Record<string, string>>;
  const action = submitQuestionnaire(deposit.travelRuleOId ?? '', sender, info);

  return (
    <Dialog
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      title="Who sent this deposit?"
      about={`${formatExact(deposit.amount)} ${deposit.currency} are credited when your answers are accepted.`}
    >
      <form
        aria-label="Questionnaire"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(action, {
            onSuccess: () => {
              showToast('done', 'Answered', 'The money is yours as soon as the answers are accepted.');
              onClose();
            },
          });
        }}
      >
        <Segments
          label="Sender"
          value={sender}
          onValue={(value) => setSender(value as Sender)}
          choices={[
            { value: 'individual', label: 'A person' },
            { value: 'company', label: 'A company' },
          ]}
        />
        {asked.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            value={answers.get(name) ?? ''}
            onValue={(value) => setAnswers(new Map(answers).set(name, value))}
          />
        ))}
        <SelectField
          label="Country"
          value={country}
          onValue={setCountry}
          choices={[
            { value: '', label: 'not said' },
            ...(regions ?? []).map(({ code, enName }) => ({ value: code, label: enName })),
          ]}
        />
        {act.isError && (
          <p role="alert" className="text-xs break-words text-danger">
            {sentenceOf(act.error)}
          </p>
        )}
        <div className="flex gap-2">
          <Button type="submit" kind="primary" isBusy={act.isPending} disabled={!isComplete}>
            Submit
          </Button>
          <ShowMeButton action={action} />
        </div>
      </form>
    </Dialog>
  );
}
