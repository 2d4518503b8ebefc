/** Faults of a storm: broken promises, and events that should have occurred but did not. */

import type { StormReport } from './storm.ts';

export function faultsOf(report: StormReport): string[] {
  const none = { doubled: report.doubled, lost: report.lost, wrongBalances: report.wrongBalances };
  const lists = { ...none, toldTwice: report.toldTwice, unexpected: report.unexpected };
  const broken = Object.entries(lists).flatMap(([name, list]) =>
    list.length === 0 ? [] : [`${name}: ${list.slice(0, 5).join(', ')}`],
  );
  const { cut, unanswered, done, clientIdUsed, repeated, echoesRefused, orders, fills, transfers } = report;
  const counts = { cut, unanswered, done, clientIdUsed, repeated, echoesRefused, orders, fills, transfers };
  const idle = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [] : [`${name}: none`]));
  // One is the bid, which sells nothing.
  const odd = orders === fills + 1 ? [] : [`${orders} orders and ${fills} fills`];
  return [...broken, ...idle, ...odd];
}
