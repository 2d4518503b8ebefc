/** All mutants, by what they break. */

import { BOUND_MUTANTS } from './bound-mutants.ts';
import { BOOK_MUTANTS } from './book-mutants.ts';
import { MONEY_MUTANTS } from './money-mutants.ts';
import type { Mutant } from './mutant.ts';
import { OCO_MUTANTS } from './oco-mutants.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';
import { REQUEST_MUTANTS } from './request-mutants.ts';
import { STRAIGHT_MUTANTS } from './straight-mutants.ts';
import { TABLE_MUTANTS } from './table-mutants.ts';
import { TIME_MUTANTS } from './time-mutants.ts';
import { UNFINISHED_MUTANTS } from './unfinished-mutants.ts';

export const MUTANTS: readonly Mutant[] = [
  ...ORDER_MUTANTS,
  ...BOOK_MUTANTS,
  ...MONEY_MUTANTS,
  ...TIME_MUTANTS,
  ...REQUEST_MUTANTS,
  ...OCO_MUTANTS,
  ...BOUND_MUTANTS,
  ...STRAIGHT_MUTANTS,
  ...UNFINISHED_MUTANTS,
  ...TABLE_MUTANTS,
];
