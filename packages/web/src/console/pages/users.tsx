/** Users and sub-accounts, found by a part of their name or id. */

import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useUserNames, useUsers } from '../operator/user-names.ts';
import { Page } from './page.tsx';
import { Totals } from './totals.tsx';

/** Nobody reads more rows than these, and they would make the page slow. */
const SHOWN_MAX = 200;

export function Users() {
  const users = useUsers();
  const nameOf = useUserNames();
  const [wanted, setWanted] = useState('');
  const { button, dialog } = useActions();
  return (
    <Page
      title="Users"
      actions={
        <>
          {button({
            call: 'add-invitation',
            title: 'Invite a person',
            consequence: 'Anyone with the invitation can sign up with it once.',
          })}
          {button({
            call: 'add-user',
            title: 'Add a user',
            consequence:
              'Creates a user without keys or money; with a parent, a sub-account. Users are never removed.',
          })}
        </>
      }
    >
      <div className="border-b border-line px-3 py-2">
        <TextField
          label="Search by name or id"
          isLabelHidden
          placeholder="Search by name or id"
          value={wanted}
          onValue={setWanted}
          className="max-w-72"
        />
      </div>
      <Answered query={users} label="the users">
        {(all) => {
          const text = wanted.trim().toLowerCase();
          const found = all.filter(({ name, userId }) => `${name} ${userId}`.toLowerCase().includes(text));
          return (
            <>
              <Totals
                label="Users in figures"
                totals={[
                  { name: 'Users', count: all.filter(({ parentId }) => parentId === null).length },
                  { name: 'Sub-accounts', count: all.filter(({ parentId }) => parentId !== null).length },
                  { name: 'Frozen', count: all.filter(({ frozen }) => frozen).length, isWarning: true },
                ]}
              />
              <Table
                label="Users found"
                rows={found.slice(0, SHOWN_MAX)}
                rowKey={({ userId }) => userId}
                empty={<Empty icon="user" title="No user matches" />}
                columns={[
                  {
                    key: 'name',
                    label: 'Name',
                    cell: ({ name, userId }) => (
                      <Link
                        href={`/console/users/${userId}`}
                        className="font-medium text-accent hover:underline"
                      >
                        {name}
                      </Link>
                    ),
                  },
                  { key: 'id', label: 'Id', cell: ({ userId }) => userId },
                  {
                    key: 'parent',
                    label: 'Sub-account of',
                    cell: ({ parentId }) => (parentId === null ? '–' : nameOf(parentId)),
                  },
                  { key: 'tier', label: 'Tier', isFigure: true, cell: ({ tier }) => tier },
                  {
                    key: 'frozen',
                    label: 'State',
                    cell: ({ frozen }) =>
                      frozen ? <Badge tone="danger">frozen</Badge> : <Badge>free</Badge>,
                  },
                ]}
              />
              <p className="px-3 py-2 text-xs text-faint">
                {found.length > SHOWN_MAX ? `The first ${SHOWN_MAX} of ` : ''}
                {found.length.toLocaleString('en')} users
              </p>
            </>
          );
        }}
      </Answered>
      {dialog}
    </Page>
  );
}
