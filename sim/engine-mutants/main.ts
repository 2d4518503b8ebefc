/**
 * Breaks one rule of the server while it is loaded, whatever is run: `node --import .../main.ts ...` with the mutant's
 * name in SIM_MUTANT. The files themselves are not touched.
 */

import { registerHooks } from 'node:module';
import { mutate } from '../mutants/mutant.ts';
import { SANDBOX_MUTANTS } from '../sandbox-mutants/list.ts';
import { ENGINE_MUTANTS } from './list.ts';

const name = process.env['SIM_MUTANT'];
const mutant = [...ENGINE_MUTANTS, ...SANDBOX_MUTANTS].find((each) => each.name === name);
if (!mutant) throw new Error(`there is no mutant '${name}'`);
const broken = new URL(`../../packages/${mutant.file}`, import.meta.url).href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== broken) return loaded;
    return { ...loaded, source: mutate(String(loaded.source), mutant) };
  },
});
