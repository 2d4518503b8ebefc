/** Published liabilities to users: roots and sums against which each user can verify a proof. */

import { formatExact } from '../../decimal/format.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Published {
  readonly id: string;
  readonly record: number;
  readonly time: number;
  readonly currencies: readonly { readonly currency: string; readonly sum: string; readonly root: string }[];
}

const REFRESH_MS = 15_000;

export function Liabilities() {
  const published = useOperatorQuery<Published[]>('/v1/liabilities', REFRESH_MS);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Liabilities"
      about="Users' balances as of a record, signed together with the log. The sums are public at /transparency/liabilities, and each user can get a proof that they include the user's balances."
      actions={button({
        call: 'take-liabilities',
        title: 'Publish liabilities',
        consequence:
          'Builds a tree of all users’ balances per currency, and makes the roots and sums public. Balances do not change.',
      })}
    >
      <Answered query={published} label="the liabilities">
        {(all) => (
          <Table
            label="Published liabilities"
            rows={all.flatMap(({ id, time, currencies }) =>
              currencies.map((each) => ({ ...each, id, time: new Date(time).toISOString() })),
            )}
            rowKey={({ id, currency }) => `${id} ${currency}`}
            empty={<Empty title="Nothing was published yet" />}
            columns={[
              { key: 'record', label: 'Record', isFigure: true, cell: ({ id }) => id },
              { key: 'time', label: 'Time', cell: ({ time }) => time },
              { key: 'currency', label: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
              { key: 'sum', label: 'Owed to users', isFigure: true, cell: ({ sum }) => formatExact(sum) },
              { key: 'root', label: 'Root', cell: ({ root }) => <code>{root}</code> },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}
