/** The interface of this package. */

export * from './basics.ts';
export { closeAll } from './close-all.ts';
export { Sandbox } from './sandbox.ts';
export { Witnesses } from './witnesses.ts';
export { type ClockFile, readClockFile } from './worlds/world-directory.ts';
export { clockWord, MANUAL_START_MS, parseClock, SandboxClock } from './clock/sandbox-clock.ts';
export { CONTROL_ROUTES, controlPlugin } from './control/plugin.ts';
export { EFFECT_SCHEMAS, namesSymbol } from './faults/fault-rules.ts';
export { SandboxFaults } from './faults/request-faults.ts';
export { LivingMarket } from './market/living-market.ts';
export type { Counted, Report, RequestUse, SandboxReport } from './report/report.ts';
export { NoReport, reportOn } from './report/user-report.ts';
export type { RequestEntry } from './watch/requests.ts';
export {
  type ForkOptions,
  type RunningFork,
  worldStateOf,
  type World,
  type WorldOpener,
  type WorldState,
} from './worlds/world.ts';
