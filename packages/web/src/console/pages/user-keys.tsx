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
        consequence: 'The secret is shown once, in the response. Pass it on before you close the dialog.',
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
                        consequence: 'Permissions and IP allow-list apply immediately.',
                        given: { apiKey: row.apiKey },
                        before: row,
                      },
                      'Change',
                    )}
                    {button(
                      {
                        call: 'remove-key',
                        title: `Remove the key ${row.apiKey}`,
                        consequence:
                          'The key is rejected immediately, and its order entry connections are closed.',
                        given: { apiKey: row.apiKey },
                        isDangerous: true,
                      },
                      'Remove',
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
