/** Where the deposit addresses of each chain come from, and who waits for one. */

import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered, useOperatorQuery, useUserNames } from '../operator/queries.tsx';
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
        about="The source of each chain's deposit addresses: a list loaded here, an extended public key, or a program of yours. A venue's chain without a source assigns no addresses."
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
                            'New addresses of this chain come from this source. Assigned addresses stay valid.',
                          given: { chain },
                        },
                        'Set',
                      )}
                      {button(
                        {
                          call: 'load-addresses',
                          title: `Load addresses of ${chain}`,
                          consequence: 'Each address is assigned to one user, in this order.',
                          given: { chain },
                          suggested: { addresses: [{ address: '' }] },
                        },
                        'Load',
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Answered>
      </Page>
      <Page title="Address requests" about="Users waiting for an address from your program.">
        <Answered query={requests} label="the requests for addresses">
          {(rows) => (
            <Table
              label="Requests for addresses"
              rows={rows}
              rowKey={({ userId, currency, chain }) => `${userId} ${currency} ${chain}`}
              empty={<Empty title="No pending request" />}
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
                          'The address is assigned permanently. Make sure that you hold its private key.',
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
