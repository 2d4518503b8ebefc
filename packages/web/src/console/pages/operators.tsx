/** Operators: who they are, which roles they have, and how they sign in. */

import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { useOperator } from '../operator/operator.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { ROLES, timeOf } from '../words.ts';
import { Page } from './page.tsx';

interface OperatorRow {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly isPerson: boolean;
  readonly created: number;
  readonly usableFrom: number;
}

export default function Operators() {
  const list = useOperatorQuery<readonly OperatorRow[]>('/v1/operators');
  const me = useOperator();
  const { button, dialog } = useActions();
  return (
    <div className="flex flex-col gap-3">
      <Page
        title="Operators"
        about="Each operator has a name of its own in the audit trail. With an e-mail address, the person who signs in with it is the operator; programs use the token."
        actions={button({
          call: 'add-operator',
          title: 'Add an operator',
          consequence:
            'The token is shown once, in the response. With an e-mail address, the person with that address can sign in to the console as well.',
          suggested: { roles: ['viewer'] },
        })}
      >
        <Answered query={list} label="the operators">
          {(rows) => (
            <Table
              label="All operators"
              rows={rows}
              rowKey={({ id }) => id}
              empty={
                <Empty icon="user" title="No named operator yet" className="h-auto!">
                  Anyone with the start-up token is root. Add an operator for each person and program, then
                  close root.
                </Empty>
              }
              columns={[
                {
                  key: 'name',
                  label: 'Name',
                  isTitle: true,
                  cell: ({ id, name }) => (
                    <span className="font-medium">
                      {name}
                      {id === me?.id && <span className="font-normal text-muted"> (you)</span>}
                    </span>
                  ),
                },
                {
                  key: 'roles',
                  label: 'Roles',
                  cell: ({ roles }) => (
                    <span className="flex flex-wrap gap-1">
                      {roles.map((role) => (
                        <Badge key={role} tone={role === 'admin' ? 'warning' : 'neutral'}>
                          {role}
                        </Badge>
                      ))}
                    </span>
                  ),
                },
                {
                  key: 'how',
                  label: 'Signs in',
                  cell: ({ isPerson }) => (isPerson ? 'as a person, or with a token' : 'with a token'),
                },
                {
                  key: 'since',
                  label: 'Since',
                  cell: ({ created, usableFrom }) => (
                    <span className="flex flex-wrap items-center gap-2">
                      {timeOf(created).slice(0, 16)}
                      {usableFrom > created && (
                        <Badge tone="warning">
                          broke the glass, from {timeOf(usableFrom).slice(11, 16)} UTC
                        </Badge>
                      )}
                    </span>
                  ),
                },
                {
                  key: 'do',
                  isAction: true,
                  label: <span className="sr-only">Actions</span>,
                  cell: (row) => (
                    <span className="flex justify-end gap-1 [&_button]:w-auto!">
                      {button(
                        {
                          call: 'change-operator',
                          title: `Change the roles of ${row.name}`,
                          consequence: 'The new roles apply immediately.',
                          given: { operatorId: row.id },
                          before: { roles: row.roles },
                        },
                        'roles',
                      )}
                      {button(
                        {
                          call: 'renew-operator-token',
                          title: `Renew the token of ${row.name}`,
                          consequence:
                            'The old token stops working immediately. The new one is shown once, in the response.',
                          given: { operatorId: row.id },
                        },
                        'token',
                      )}
                      {button(
                        {
                          call: 'remove-operator',
                          title: `Remove ${row.name}`,
                          consequence:
                            'The token stops working immediately and the person is no longer an operator. Their approvals of open proposals no longer count.',
                          given: { operatorId: row.id },
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
      </Page>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Page title="Roles">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 p-3 text-xs">
            {ROLES.map(({ role, may }) => (
              <div key={role} className="contents">
                <dt className="font-medium">{role}</dt>
                <dd className="text-muted">{may}</dd>
              </div>
            ))}
          </dl>
        </Page>
        <Page
          title="Root"
          actions={button({
            call: 'close-root',
            title: 'Close root',
            consequence:
              'For good: the start-up token may then only add an operator, at the machine itself, after ten minutes of exchange time, and the audit trail shows it. Make sure that an admin with a name can sign in.',
            isDangerous: true,
          })}
        >
          <p className="p-3 text-xs text-muted">
            The start-up token is root, which may do everything. Once operators have names, close it: a shared
            token says nothing about who used it.
          </p>
        </Page>
      </div>
      {dialog}
    </div>
  );
}
