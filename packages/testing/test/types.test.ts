/**
 * The kit's types of reports, requests and fault effects are those of the sandbox. It states them again because its
 * declarations are published, and those of the sandbox are not; the compiler compares them here.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EFFECT_SCHEMAS, RequestEntry as SandboxRequest, SandboxReport } from '@bourse/sandbox';
import type { FaultRule, Report, RequestEntry } from '../src/index.ts';

type IsEqual<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;

test('reports and requests have the types of the sandbox', () => {
  const isReportEqual: IsEqual<Flat<Report>, Flat<SandboxReport>> = true;
  const isRequestEqual: IsEqual<Flat<RequestEntry>, Flat<SandboxRequest>> = true;
  assert.ok(isReportEqual && isRequestEqual);
});

test('fault effects have the kinds of the sandbox', () => {
  const isKindEqual: IsEqual<FaultRule['effect']['kind'], keyof typeof EFFECT_SCHEMAS> = true;
  assert.ok(isKindEqual);
});
