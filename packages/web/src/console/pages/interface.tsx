/** Every call of the operator API, with its page in the console. */

import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Badge, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { saveFile } from '../../ui/text.ts';
import { callOperator } from '../operator/operator.ts';
import { useCalls } from '../operator/queries.tsx';
import { PLACES } from '../places.ts';
import { Page } from './page.tsx';

const placeOf = (call: string) => PLACES.find(({ calls }) => calls.includes(call));

export function Interface() {
  const calls = useCalls();
  return (
    <Page
      title="Interface"
      about="The console uses only these calls, which any program can make. The last column names the page of each."
      actions={
        <Button size="small" onClick={() => void saveDocument()}>
          Save the OpenAPI document
        </Button>
      }
    >
      {calls === undefined ? (
        <Loading label="Loading the calls" />
      ) : (
        <Table
          label="Calls"
          rows={[...calls.values()]}
          rowKey={({ id }) => id}
          columns={[
            { key: 'method', label: 'Method', cell: ({ method }) => <Badge>{method}</Badge> },
            { key: 'path', label: 'Path', cell: ({ path }) => <code>/operator{path}</code> },
            {
              key: 'place',
              label: 'Place',
              cell: ({ id }) => {
                const place = placeOf(id);
                return (
                  place && (
                    <Link href={place.path} className="text-accent hover:underline">
                      {place.title}
                    </Link>
                  )
                );
              },
            },
            { key: 'summary', label: 'What it does', cell: ({ summary }) => summary },
          ]}
        />
      )}
    </Page>
  );
}

async function saveDocument(): Promise<void> {
  const document = await callOperator('GET', '/openapi.json');
  saveFile('bourse-operator-openapi.json', 'application/json', JSON.stringify(document, null, 2));
}
