// Replaces values that differ from run to run by fixed ones: times, and ids that contain them.

import { orderId, parseOrderId } from '../../packages/api/src/gateway/ids.ts';

/** 2023-11-14T22:13:20Z. JSON represents it exactly even in nanoseconds. */
const STABLE_MS = 1_700_000_000_000;
const NEAR_MS = 24 * 3600 * 1000;

const isNear = (ms) => Math.abs(ms - Date.now()) < NEAR_MS;

export function stable(text) {
  return text
    .replaceAll(/\b[0-9a-f]{24}\b/g, (id) => {
      const parsed = parseOrderId(id);
      return parsed && isNear(parsed.seconds * 1000) ? orderId(parsed.number, STABLE_MS) : id;
    })
    .replaceAll(/\b\d{19}\b/g, (ns) =>
      isNear(Number(ns) / 1e6) ? String(BigInt(STABLE_MS) * 1_000_000n) : ns,
    )
    .replaceAll(/(?<!\d)\d{13}(?!\d)/g, (ms) => (isNear(Number(ms)) ? String(STABLE_MS) : ms))
    .replaceAll(/\b\d+ ms\b/g, (span) => (span in STEADY_SPANS ? span : '... ms'));
}

/** Durations that are settings, not measurements. */
const STEADY_SPANS = { '5000 ms': true };

const LINE_MAX = 100;

/** JSON with every value on one line if it fits. */
export function layOut(value, indent = '') {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || short.length + indent.length <= LINE_MAX) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((each) => layOut(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${layOut(each, inner)}`);
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
