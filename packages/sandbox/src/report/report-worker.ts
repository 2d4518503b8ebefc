/** Entry point of a report's thread: replaying a log takes seconds for a day of a market. */

import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk, yieldToOthers } from '@bourse/engine';
import type { Report, ReportOptions } from './report.ts';
import { NoReport, reportOn } from './user-report.ts';

export interface ReportTask {
  readonly dir: string;
  readonly options: ReportOptions;
}

export type ReportResult = { readonly report: Report } | { readonly noReport: string };

/** The exchange itself has priority. */
const NICE = 5;

if (parentPort) {
  yieldToOthers(NICE);
  const { dir, options } = workerData as ReportTask;
  parentPort.postMessage(await resultOf(dir, options), []);
}

async function resultOf(dir: string, options: ReportOptions): Promise<ReportResult> {
  try {
    return { report: await reportOn(nodeDisk, dir, options) };
  } catch (error) {
    if (error instanceof NoReport) return { noReport: error.message };
    throw error;
  }
}
