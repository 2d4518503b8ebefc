/** Where the deposit addresses of each chain come from, and who waits for one. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { useUserNames } from '../operator/user-names.ts';
import { Page } from './page.tsx';

interface Source {
  readonly chain: string;
  readonly source: 'list' | 'key' | 'program' | 'none';
  readonly key: string | null;
  readonly free: number;
  readonly nextIndex: number | null;
  readonly requests: number;
  readonly warning: string | null;
}

interface Request {
  readonly userId: string;
  readonly currency: string;
  readonly chain: string;
}

export function Addresses() {
  const sources = useOperatorQuery<readonly Source[]>('/v1/address-sources');
  const requests = useOperatorQuery<readonly Request[]>('/v1/address-requests');
  const nameOf = useUserNames();
  const { button, dialog } = useActions();
  const stockOf = ({ source, free, nextIndex }: Source): string => {
    if (source === 'key') return `index ${nextIndex} is next`;
    return source === 'list' || free > 0 ? `${free} free` : 'made when asked for';
  };
  return (
    <>
      <Page
        title="Address sources"
        about="Where the deposit addresses of a chain come from: a list that is loaded here, an extended public key, or a program of yours. A chain of a venue without a source gives none."
      >
        <Answered query={sources} label="the sources of addresses">
          {(rows) => (
            <Table
              label="Sources of addresses"
              rows={rows}
              rowKey={({ chain }) => chain}
              empty={<Empty icon="download" title="No currency has a chain" />}
              columns={[
                { key: 'chain', label: 'Chain', cell: ({ chain }) => <code>{chain}</code> },
                { key: 'source', label: 'Source', cell: ({ source }) => source },
                { key: 'stock', label: 'Addresses', isFigure: true, cell: stockOf },
                { key: 'requests', label: 'Requests', isFigure: true, cell: (row) => row.requests },
                {
                  key: 'warning',
                  label: 'Warning',
                  cell: ({ warning }) =>
                    warning === null ? 'none' : <Badge tone="warning">{warning}</Badge>,
                },
                {
                  key: 'do',
                  label: 'Do',
                  cell: ({ chain }) => (
                    <span className="flex gap-1">
                      {button(
                        {
                          call: 'set-address-source',
                          title: `Set the source of ${chain}`,
                          consequence:
                            'New addresses of this chain come from there. Addresses that users have stay as they are.',
                          given: { chain },
                        },
                        'set',
                      )}
                      {button(
                        {
                          call: 'load-addresses',
                          title: `Load addresses of ${chain}`,
                          consequence: 'Each of them is given to one user, in this order.',
                          given: { chain },
                          suggested: { addresses: [{ address: '' }] },
                        },
                        'load',
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      <Page title="Address requests" about="Users who wait for an address that a program makes.">
        <Answered query={requests} label="the requests for addresses">
          {(rows) => (
            <Table
              label="Requests for addresses"
              rows={rows}
              rowKey={({ userId, currency, chain }) => `${userId} ${currency} ${chain}`}
              empty={<Empty title="Nobody waits for an address" />}
              columns={[
                { key: 'user', label: 'User', cell: ({ userId }) => nameOf(userId) },
                { key: 'currency', label: 'Currency', cell: ({ currency }) => currency },
                { key: 'chain', label: 'Chain', cell: ({ chain }) => <code>{chain}</code> },
                {
                  key: 'do',
                  label: 'Do',
                  cell: ({ userId, currency, chain }) =>
                    button(
                      {
                        call: 'give-address',
                        title: `Give ${nameOf(userId)} an address on ${chain}`,
                        consequence:
                          'It is the user’s for ever. Money that is sent there must be yours to credit: check that you have its key.',
                        given: { userId, currency, chain },
                      },
                      'give',
                    ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      {dialog}
    </>
  );
}
