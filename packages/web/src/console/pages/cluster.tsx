/** The nodes of a cluster with their states, and the leader. A single-node exchange has none. */

import { ApiError } from '@bourse/client';
import { Badge, Empty, type Tone } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useActions } from '../action/action-dialog.tsx';
import { count } from '../figures/figures.ts';
import { Answered, useOperatorQuery } from '../operator/queries.tsx';
import { Page } from './page.tsx';

interface Node {
  readonly name: string;
  readonly url: string;
  /** The sequence number of the last applied record, and the digest up to it. */
  readonly seq: number;
  readonly digest: string;
  readonly state: string;
}

interface LogServer {
  readonly name: string;
  readonly state: string;
  readonly isLeader: boolean;
}

interface Cluster {
  readonly leader: string | null;
  readonly nodes: readonly Node[];
  readonly logServers: readonly LogServer[];
  /** What is missing, as a sentence; null if nothing is. */
  readonly degraded: string | null;
}

/** The tone of each state; unknown states are shown as warnings. */
const TONES: ReadonlyMap<string, Tone> = new Map([
  ['leading', 'up'],
  ['following', 'neutral'],
  ['current', 'neutral'],
  ['behind', 'warning'],
]);
const toneOf = (state: string): Tone => TONES.get(state) ?? 'danger';

const REFRESH_MS = 2_000;
const DIGEST_SHOWN = 12;

export function Cluster() {
  const cluster = useOperatorQuery<Cluster>('/v1/cluster', REFRESH_MS);
  const { button, dialog } = useActions();
  if (cluster.error instanceof ApiError && cluster.error.code === 'no-cluster') {
    return (
      <Page title="Cluster">
        <Empty icon="swap" title="This exchange runs on a single node">
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
            about={
              <>
                {leader === null ? 'No node leads now.' : `${leader} leads.`}
                {degraded !== null && <span className="text-warning"> {degraded}</span>}
              </>
            }
          >
            <Table
              label="Nodes of the cluster"
              rows={nodes}
              rowKey={({ name }) => name}
              columns={[
                { key: 'name', label: 'Node', cell: ({ name }) => <strong>{name}</strong> },
                {
                  key: 'state',
                  label: 'State',
                  cell: ({ state }) => <Badge tone={toneOf(state)}>{state}</Badge>,
                },
                {
                  key: 'seq',
                  label: 'Record',
                  isFigure: true,
                  cell: ({ seq }) => <Record seq={seq} newest={newestOf(nodes)} />,
                },
                {
                  key: 'digest',
                  label: 'Digest',
                  cell: ({ digest }) => <code className="text-muted">{digest.slice(0, DIGEST_SHOWN)}</code>,
                },
                {
                  key: 'url',
                  label: 'Address',
                  cell: ({ url }) => <span className="text-muted">{url}</span>,
                },
                {
                  key: 'do',
                  label: 'Actions',
                  cell: ({ name }) =>
                    name !== leader &&
                    button(
                      {
                        call: 'set-leader',
                        title: `Let ${name} lead`,
                        consequence: `${name} takes over from ${leader ?? 'nobody'}. No request in flight is lost.`,
                        given: { name },
                      },
                      'lead',
                    ),
                },
              ]}
            />
          </Page>
          <Page title="Log servers">
            <Table
              label="Servers that keep the log"
              rows={logServers}
              rowKey={({ name }) => name}
              columns={[
                { key: 'name', label: 'Server', cell: ({ name }) => <strong>{name}</strong> },
                {
                  key: 'state',
                  label: 'State',
                  cell: ({ state, isLeader }) => (
                    <span className="flex gap-2">
                      <Badge tone={toneOf(state)}>{state}</Badge>
                      {isLeader && <Badge>leads the others</Badge>}
                    </span>
                  ),
                },
              ]}
            />
          </Page>
          {dialog}
        </div>
      )}
    </Answered>
  );
}

const newestOf = (nodes: readonly Node[]): number => Math.max(...nodes.map(({ seq }) => seq));

function Record({ seq, newest }: { readonly seq: number; readonly newest: number }) {
  return (
    <>
      {count(seq)}
      {seq < newest && <span className="ml-2 text-warning">{count(newest - seq)} behind</span>}
    </>
  );
}
