/** The calls of the operator's interface, as its own document describes them: forms are made from it. */

import { useOperatorQuery } from './use-operator-query.ts';

export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
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
  readonly schema: Schema;
}

export interface Call {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With names in braces. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** A body that would be right. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: Schema;
        readonly examples: Readonly<Record<string, { readonly value: Record<string, unknown> }>>;
      };
    };
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** By id; undefined until the document is there. */
export function useCalls(): ReadonlyMap<string, Call> | undefined {
  const { data } = useOperatorQuery<Document>('/openapi.json', false);
  return data && new Map(Object.entries(data.paths).flatMap(([path, methods]) => callsAt(path, methods)));
}

function callsAt(path: string, methods: Readonly<Record<string, Operation>>): [string, Call][] {
  return Object.entries(methods).map(([method, operation]) => {
    const { operationId: id, summary, parameters, requestBody } = operation;
    const content = requestBody?.content['application/json'];
    const call = {
      id,
      method: method.toUpperCase() as Call['method'],
      path,
      summary,
      parameters,
      body: content?.schema,
      example: Object.values(content?.examples ?? {})[0]?.value,
    };
    return [id, call];
  });
}
