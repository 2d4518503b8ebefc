/** The nodes of a cluster: how they are, and which one leads. An exchange that runs alone has none. */

import { ApiError } from '@bourse/client';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/use-action.tsx';
import { Answered } from '../operator/answered.tsx';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { Page } from './page.tsx';

interface Named {
  readonly name: string;
}

interface Cluster {
  readonly leader: string | null;
  readonly nodes: readonly Named[];
  readonly logServers: readonly Named[];
  readonly degraded: string | null;
}

const REFRESH_MS = 2_000;

export function Cluster() {
  const cluster = useOperatorQuery<Cluster>('/v1/cluster', REFRESH_MS);
  const { button, dialog } = useActions();
  if (cluster.error instanceof ApiError && cluster.error.code === 'no-cluster') {
    return (
      <Page title="Cluster">
        <Empty icon="swap" title="This exchange runs alone">
          {cluster.error.msg}
        </Empty>
      </Page>
    );
  }
  return (
    <Answered query={cluster} label="the cluster">
      {({ leader, nodes, logServers, degraded }) => (
        <div className="grid items-start gap-3 xl:grid-cols-2">
          <Page
            title="Nodes"
            about={`${leader === null ? 'Nobody leads now.' : `${leader} leads.`} ${degraded ?? ''}`}
          >
            <Table
              label="Nodes of the cluster"
              rows={nodes}
              rowKey={({ name }) => name}
              columns={[
                {
                  key: 'name',
                  label: 'Node',
                  cell: ({ name }) => (
                    <span className="flex items-center gap-2">
                      <strong>{name}</strong>
                      {name === leader && <Badge tone="up">leads</Badge>}
                    </span>
                  ),
                },
                { key: 'state', label: 'How it is', cell: (node) => <Facts of={node} /> },
                {
                  key: 'do',
                  label: 'Do',
                  cell: ({ name }) =>
                    name !== leader &&
                    button(
                      {
                        call: 'set-leader',
                        title: `Let ${name} lead`,
                        consequence: `${name} takes over from ${leader ?? 'nobody'}. Nothing that is on its way is lost.`,
                        given: { name },
                      },
                      'let it lead',
                    ),
                },
              ]}
            />
          </Page>
          <Page title="Servers of the log">
            <Table
              label="Servers that keep the log"
              rows={logServers}
              rowKey={({ name }) => name}
              columns={[
                { key: 'name', label: 'Server', cell: ({ name }) => <strong>{name}</strong> },
                { key: 'state', label: 'How it is', cell: (server) => <Facts of={server} /> },
              ]}
            />
          </Page>
          {dialog}
        </div>
      )}
    </Answered>
  );
}

/** Everything that the exchange says of it besides its name. */
function Facts({ of }: { readonly of: Named }) {
  const facts = Object.entries(of).filter(([name]) => name !== 'name');
  return (
    <span className="flex gap-3">
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className="text-faint">{name}</span> {String(value)}
        </span>
      ))}
    </span>
  );
}
