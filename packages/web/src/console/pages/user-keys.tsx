/** The API keys of one user, without their secrets: a secret is shown once, when it is made. */

import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Key {
  readonly apiKey: string;
  readonly version: number;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
}

export function UserKeys({ userId }: { readonly userId: string }) {
  const keys = useOperatorQuery<Key[]>(`/v1/users/${encodeURIComponent(userId)}/keys`);
  const { button, dialog } = useActions();
  return (
    <Page
      title="Keys"
      actions={button({
        call: 'add-key',
        title: 'Add a key',
        consequence: 'The secret is in the answer and never again: give it to the user before you close it.',
        given: { userId },
        suggested: { permissions: ['General'] },
      })}
    >
      <Answered query={keys} label="the keys">
        {(rows) => (
          <Table
            label="Keys of the user"
            rows={rows}
            rowKey={({ apiKey }) => apiKey}
            empty={<Empty icon="key" title="No key: this user cannot sign anything" />}
            columns={[
              { key: 'key', label: 'Key', cell: ({ apiKey }) => <code>{apiKey}</code> },
              { key: 'may', label: 'May', cell: ({ permissions }) => permissions.join(', ') || 'nothing' },
              { key: 'from', label: 'From', cell: ({ ipAllowList }) => ipAllowList.join(', ') || 'anywhere' },
              {
                key: 'do',
                label: 'Do',
                cell: (row) => (
                  <span className="flex gap-1">
                    {button(
                      {
                        call: 'change-key',
                        title: `Change the key ${row.apiKey}`,
                        consequence: 'It may do this from now on, and from these addresses only.',
                        given: { apiKey: row.apiKey },
                        before: row,
                      },
                      'change',
                    )}
                    {button(
                      {
                        call: 'remove-key',
                        title: `Remove the key ${row.apiKey}`,
                        consequence: 'It is refused at once, and its order entry is closed.',
                        given: { apiKey: row.apiKey },
                        isDangerous: true,
                      },
                      'remove',
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answered>
      {dialog}
    </Page>
  );
}
