/** Saves the statement of a user, or of the house, for whole days (UTC). */

import { ApiError } from '@bourse/client';
import { useState } from 'react';
import { useSending } from '../../exchange/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { saveFile } from '../../ui/saved-file.ts';
import { callOperator } from '../operator/operator.ts';
import { Page } from './page.tsx';

interface StatementProps {
  /** Of the call, below `/operator`. */
  readonly path: string;
  /** Whose, for the file's name. */
  readonly name: string;
  readonly about: string;
}

const DAY_MS = 86_400_000;

export function Statement({ path, name, about }: StatementProps) {
  const [from, setFrom] = useState(() => firstOfMonth(-1));
  const [last, setLast] = useState(() => dayOf(Date.parse(firstOfMonth(0)) - DAY_MS));
  const isPeriod = from !== '' && last !== '' && from <= last;

  const saving = useSending({
    mutationFn: async () => {
      const period = new URLSearchParams({
        from: String(Date.parse(from)),
        until: String(Date.parse(last) + DAY_MS),
        format: 'csv',
      });
      const csv = await callOperator<string>('GET', `${path}?${period}`);
      saveFile(`statement-${name}-${from}-to-${last}.csv`, 'text/csv', csv);
    },
    onError: (error) => {
      const text = error instanceof ApiError ? error.message : 'The exchange did not answer. Try again.';
      showToast('refused', 'No statement was saved', text);
    },
  });

  return (
    <Page title="Statement" about={about}>
      <div className="flex flex-wrap items-end gap-2 p-3">
        <TextField label="First day, UTC" type="date" value={from} onValue={setFrom} className="w-40" />
        <TextField label="Last day, UTC" type="date" value={last} onValue={setLast} className="w-40" />
        <Button size="small" isBusy={saving.isPending} disabled={!isPeriod} onClick={() => saving.mutate()}>
          Save as CSV
        </Button>
        {!isPeriod && <p className="text-xs text-muted">Choose a first day that is not after the last.</p>}
      </div>
    </Page>
  );
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Of this month, or of one before. */
function firstOfMonth(months: number): string {
  const now = new Date();
  return dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}
