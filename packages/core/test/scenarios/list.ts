/** Prints every rule and the scenarios about it: `npm run sim -- scenarios [R7 ...]`. */

import { pathToFileURL } from 'node:url';
import { collectScenarios, ruleIds, type Scenario } from './runner.ts';

/** Every rule and limit that must have a scenario. A limit is named by the words after its `L`. */
export const RULES: readonly string[] = [
  ...Array.from({ length: 11 }, (_, index) => `R${index + 1}`),
  ...Array.from({ length: 10 }, (_, index) => `S${index + 1}`),
  'L active orders per pair',
  'L active orders per account',
  'L stop orders per pair',
  'L look-up window',
  'L client ids of a user',
  'L client ids in all',
  'L clientId length',
  'L tags and remark length',
  'L iceberg visible size',
  'L transfer clientId length',
  'O1',
  'O2',
  'M',
  'T',
  'D',
  'K',
  'P',
  'U',
  'H',
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'C',
];

export function isAbout(scenario: Scenario, rule: string): boolean {
  return rule.includes(' ') ? scenario.name.startsWith(`${rule}:`) : ruleIds(scenario.name).includes(rule);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = process.argv.slice(2);
  const all = await collectScenarios();
  const rules = [...RULES, 'rejection'].filter(
    (rule) => wanted.length === 0 || wanted.includes(rule.split(' ')[0]!),
  );
  for (const rule of rules) {
    const names = all.filter((scenario) => isAbout(scenario, rule)).map((scenario) => scenario.name);
    console.log(`${rule} (${names.length})`);
    for (const name of names) console.log(`  ${name}`);
  }
  console.log(`${all.length} scenarios`);
}
