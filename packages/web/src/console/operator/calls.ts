/** The calls of the operator's interface, as its own document describes them: forms are made from it. */

import { useOperatorQuery } from './queries.tsx';

export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly expects?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Call {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With names in braces. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** Those that have it. */
  readonly roles: readonly string[];
  /** What the policy can say of it: that it needs approval, above an amount where it moves one, or nothing. */
  readonly policy: 'never' | 'always' | 'above';
}

interface Operation {
  readonly 'x-roles': Call['roles'];
  readonly 'x-policy': Call['policy'];
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: JsonSchema;
      };
    };
  };
}

interface Document {
  readonly paths: Readonly<Record<string, object>>;
}

/** By id; undefined until the document is there. */
export function useCalls(): ReadonlyMap<string, Call> | undefined {
  const { data } = useOperatorQuery<Document>('/openapi.json', false);
  return data && new Map(Object.entries(data.paths).flatMap(([path, methods]) => callsAt(path, methods)));
}

function callsAt(path: string, methods: object): [string, Call][] {
  return Object.entries(methods).map(([method, operation]) => {
    const { operationId: id, summary, parameters, requestBody } = operation as Operation;
    const content = requestBody?.content['application/json'];
    const call = {
      id,
      method: method.toUpperCase() as Call['method'],
      path,
      summary,
      parameters,
      body: content?.schema,
      roles: (operation as Operation)['x-roles'],
      policy: (operation as Operation)['x-policy'],
    };
    return [id, call];
  });
}
