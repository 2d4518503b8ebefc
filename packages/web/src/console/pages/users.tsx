/** Users and sub-accounts, searched by part of a name or id. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { callOperator } from '../operator/operator.ts';
import { Answered, pathWith, type UserRow, useUserNames, useUsers } from '../operator/queries.tsx';
import { isFrozen, userState } from '../user-state.ts';
import { Page, Totals } from './page.tsx';

const PAGE_SIZE = 100;
const REFRESH_MS = 5_000;

/** The figures cover up to this many users; larger venues use the search. */
const COUNTED_MAX = 1_000;

const STATES = [
  { value: '', label: 'All' },
  { value: 'true', label: 'Frozen' },
  { value: 'false', label: 'Free' },
];

/** The exchange does the search. The previous result stays visible until the next one arrives. */
function useFound(search: string, frozen: string, after: string) {
  const path = pathWith('/v1/users', { search, frozen, after, limit: String(PAGE_SIZE) });
  return useQuery({
    queryKey: ['operator', path],
    queryFn: () => callOperator<readonly UserRow[]>('GET', path),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export function Users() {
  const all = useUsers().data;
  const nameOf = useUserNames();
  const [wanted, setWanted] = useState('');
  const [frozen, setFrozen] = useState('');
  /** The last user of each previous page. */
  const [pages, setPages] = useState<readonly string[]>([]);
  const users = useFound(wanted.trim(), frozen, pages.at(-1) ?? '');
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
      {all !== undefined && (
        <Totals
          label="User totals"
          totals={[
            {
              name:
                all.length < COUNTED_MAX
                  ? 'Users'
                  : `Users among the first ${COUNTED_MAX.toLocaleString('en')}`,
              count: all.filter(({ parentId }) => parentId === null).length,
            },
            { name: 'Sub-accounts', count: all.filter(({ parentId }) => parentId !== null).length },
            { name: 'Frozen', count: all.filter(isFrozen).length, isWarning: true },
          ]}
        />
      )}
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <TextField
          label="Search by name, id or e-mail address"
          isLabelHidden
          placeholder="Search by name, id or e-mail address"
          value={wanted}
          onValue={(text) => {
            setWanted(text);
            setPages([]);
          }}
          className="w-72 max-w-full"
        />
        <Segments
          label="Which users"
          value={frozen}
          onValue={(value) => {
            setFrozen(value);
            setPages([]);
          }}
          choices={STATES}
        />
      </div>
      <Answered query={users} label="the users">
        {(found) => {
          return (
            <>
              <Table
                label="Users found"
                rows={found}
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
                    cell: (row) => <Badge {...(isFrozen(row) && { tone: 'danger' })}>{userState(row)}</Badge>,
                  },
                ]}
              />
              {(pages.length > 0 || found.length === PAGE_SIZE) && (
                <p className="flex gap-2 p-3">
                  <Button
                    size="small"
                    disabled={pages.length === 0}
                    onClick={() => setPages(pages.slice(0, -1))}
                  >
                    Earlier
                  </Button>
                  <Button
                    size="small"
                    disabled={found.length < PAGE_SIZE}
                    onClick={() => setPages([...pages, found.at(-1)!.userId])}
                  >
                    Later
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Answered>
      {dialog}
    </Page>
  );
}
