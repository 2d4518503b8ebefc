/** Runs reports one at a time, each in its own thread. */

import { Worker } from 'node:worker_threads';
import type { Report } from './report.ts';
import type { ReportResult, ReportTask } from './report-worker.ts';
import { NoReport } from './user-report.ts';

const WORKER = new URL('./report-worker.ts', import.meta.url);
const QUEUE_MAX = 16;

/** Too many concurrent requests for reports. */
export class ReportsBusy extends Error {
  override readonly name = 'ReportsBusy';
}

export class ReportThreads {
  #queue = 0;
  #last: Promise<unknown> = Promise.resolve();
  #running: Worker | undefined;
  #isClosed = false;

  /** Throws NoReport, ReportsBusy. */
  run(task: ReportTask): Promise<Report> {
    if (this.#queue >= QUEUE_MAX)
      return Promise.reject(new ReportsBusy(`${QUEUE_MAX} reports are in the queue. Try again later.`));
    this.#queue += 1;
    const made = this.#last.then(() => this.#make(task)).finally(() => (this.#queue -= 1));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.terminate();
  }

  #make(task: ReportTask): Promise<Report> {
    return new Promise((resolve, reject) => {
      const ended = new ReportsBusy('The sandbox is being stopped.');
      if (this.#isClosed) {
        reject(ended);
        return;
      }
      const worker = new Worker(WORKER, { workerData: task, name: 'report' });
      this.#running = worker;
      worker.once('message', (result: ReportResult) => {
        if ('report' in result) resolve(result.report);
        else reject(new NoReport(result.noReport));
      });
      worker.once('error', reject);
      // After a message this changes nothing.
      worker.once('exit', () => reject(ended));
    });
  }
}
