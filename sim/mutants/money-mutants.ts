/** Fees, deposits, transfers and withdrawals. */

import { inFile, type Mutant } from './mutant.ts';

export const MONEY_MUTANTS: readonly Mutant[] = [
  ...inFile('values/amount.ts', [
    {
      name: 'fee rounded down',
      rule: 'Fees',
      find: 'Math.ceil(low / UNIT)',
      replace: 'Math.floor(low / UNIT)',
    },
    {
      name: 'fee on large funds rounded down',
      rule: 'Fees',
      find: '(exact + RATE_ONE_BIG - 1n) / RATE_ONE_BIG',
      replace: 'exact / RATE_ONE_BIG',
    },
  ]),
  ...inFile('matching/trade.ts', [
    {
      name: 'fee slack forgotten',
      rule: 'Fees',
      find: 'fee.setFee(funds, rate, orders.slack(row))',
      replace: 'fee.setFee(funds, rate, 0)',
    },
    {
      name: 'trade at the incoming price',
      rule: 'Matching',
      find: 'const price = orders.price(resting);',
      replace: 'const price = orders.price(incoming) || orders.price(resting);',
    },
    {
      name: 'incoming postOnly pays the taker rate',
      rule: 'R9',
      find: 'postOnly && !orders.isReserved(incoming) ? 0 : TAKER_RATE',
      replace: 'TAKER_RATE',
    },
    {
      name: 'incoming postOnly iceberg pays the maker rate',
      rule: 'R9+R10',
      find: 'postOnly && !orders.isReserved(incoming) ? 0',
      replace: 'postOnly ? 0',
    },
    {
      name: 'incoming postOnly has liquidity taker',
      rule: 'R9',
      find: '(postOnly ? 0 : TAKER_LIQUIDITY)',
      replace: 'TAKER_LIQUIDITY',
    },
    {
      name: 'resting hidden order pays the maker rate',
      rule: 'R10',
      find: '(orders.isReserved(resting) ? TAKER_RATE : 0)',
      replace: '0',
    },
    {
      name: 'release dropped on better price',
      rule: 'R6',
      find: 'if (!orders.isMarket(row))',
      replace: 'if (false)',
    },
    {
      name: 'seller pays no fee',
      rule: 'Fees',
      find: 'spent.subtract(fee);',
      replace: '',
    },
  ]),
  ...inFile('state.ts', [
    {
      name: "sub-account has not its master's rates",
      rule: 'Fees',
      find: 'this.fees.ratesOf(this.users.masterOf(user), instrument.number)',
      replace: 'this.fees.ratesOf(user, instrument.number)',
    },
  ]),
  ...inFile('reference/fees.ts', [
    {
      name: 'rates of user and symbol not looked at',
      rule: 'Fees',
      find: 'this.rules.get(key(master, symbol)) ??',
      replace: '',
    },
    {
      name: 'maker equal to taker refused',
      rule: 'Fees',
      find: 'if (maker > taker)',
      replace: 'if (maker >= taker)',
    },
  ]),
  ...inFile('administration.ts', [
    {
      name: 'new rates not heard of',
      rule: 'Fees',
      find: 'isSubAccount(user));\n  if (!refused) state.traders.forgetRates();',
      replace: 'isSubAccount(user));',
    },
    {
      name: 'removed rates not heard of',
      rule: 'Fees',
      find: 'state.fees.remove(command);\n  if (!refused) state.traders.forgetRates();',
      replace: 'state.fees.remove(command);',
    },
  ]),
  ...inFile('reference/removal.ts', [
    {
      name: 'a symbol is removed under a hidden order',
      rule: 'D',
      find: 'return isEmpty && book',
      replace: 'return book',
    },
    {
      name: 'a symbol is removed under a stop order',
      rule: 'D',
      find: '!isUntouched(instrument) || state.stops.waitsIn(symbol)',
      replace: '!isUntouched(instrument)',
    },
    {
      name: 'a currency that somebody has is removed',
      rule: 'D',
      find: "if (state.ledger.hasUsed(currency)) return 'accounts';",
      replace: '',
    },
  ]),
  ...inFile('ledger/transfer.ts', [
    {
      name: 'transfer repeated is made twice',
      rule: 'M',
      find: 'if (before) {',
      replace: 'if (before && before.id < 0) {',
    },
    {
      name: 'all of the balance cannot be transferred',
      rule: 'M',
      find: 'return need <= has ?',
      replace: 'return need < has ?',
    },
    {
      name: "anybody's account can be emptied by a master",
      rule: 'M',
      find: 'return state.users.all[sub].parent === user',
      replace: 'return sub !== user',
    },
  ]),
  ...inFile('ledger/transfers.ts', [
    {
      name: 'transfer with another amount is the same',
      rule: 'M',
      find: 'return FIELDS.every((field) => a[field]',
      replace: "return FIELDS.every((field) => field === 'amount' || a[field]",
    },
  ]),
  ...inFile('ledger/money-in.ts', [
    {
      name: 'deposit reported twice is credited twice',
      rule: 'M',
      find: 'if (before) {',
      replace: 'if (before && before.deposit < 0) {',
    },
    {
      name: 'waiting deposit is credited at once',
      rule: 'M',
      find: 'if (travelRule) ledger',
      replace: 'if (false) ledger',
    },
    {
      name: 'questionnaire credits the wrong user',
      rule: 'M',
      find: 'ledger.account(user, MAIN, currency), amount, CAUSE.deposit, deposit, 0',
      replace: 'ledger.account(0, MAIN, currency), amount, CAUSE.deposit, deposit, 0',
    },
    {
      name: 'deposit fee is not charged',
      rule: 'M',
      find: 'if (isTestMoney || ',
      replace: 'if (true || ',
    },
    {
      name: 'deposit fee rounded down',
      rule: 'M',
      find: 'rateOf(depositFeeRate) + step - 1n',
      replace: 'rateOf(depositFeeRate)',
    },
    {
      name: 'questionnaire that failed leaves the deposit under review',
      rule: 'M',
      find: "review(state, questionnaire.travelRuleId, 'refused', failureCode);",
      replace: '',
    },
    {
      name: 'deposit keeps the code of a failed questionnaire',
      rule: 'M',
      find: "setDeposit(state, { ...deposit, state: next, ...(failureCode !== '' && { failureCode }) });",
      replace: 'setDeposit(state, { ...deposit, failureCode, state: next });',
    },
    {
      name: 'deposit of the least amount refused',
      rule: 'M',
      find: 'if (value < min && ',
      replace: 'if (value <= min && ',
    },
    {
      name: 'amount increment not checked',
      rule: 'M',
      find: 'value > 0n && value % unit === 0n',
      replace: 'value > 0n',
    },
  ]),
  ...inFile('ledger/deposits.ts', [
    {
      name: 'questionnaire can be submitted again while pending',
      rule: 'M',
      find: "if (!latest || latest.state === 'fail')",
      replace: "if (!latest || latest.state !== 'success')",
    },
    {
      name: 'questionnaire can be decided twice',
      rule: 'M',
      find: "return found.state === 'pending'",
      replace: "return found.state !== 'fail'",
    },
    {
      name: 'all the money there can be is one unit less',
      rule: 'Numbers',
      find: 'return amount <= max ?',
      replace: 'return amount < max ?',
    },
  ]),
  ...inFile('ledger/money-out.ts', [
    {
      name: 'withdrawal fee lost',
      rule: 'M',
      find: 'if (fee > 0n) {',
      replace: 'if (false) {',
    },
    {
      name: 'withdrawal fee rounded down',
      rule: 'M',
      find: ' + one - 1n) / one',
      replace: ') / one',
    },
    {
      name: 'withdrawal fee has no maximum',
      rule: 'M',
      find: 'return fee < most ? fee : most;',
      replace: 'return fee;',
    },
    {
      name: 'withdrawal without money for its fee',
      rule: 'M',
      find: 'if (need > available)',
      replace: 'if (amount > available)',
    },
    {
      name: 'a fee that is included is taken twice',
      rule: 'M',
      find: 'const need = amount + fee;',
      replace: 'const need = command.amount + fee;',
    },
    {
      name: 'cancelled withdrawal keeps its fee',
      rule: 'M',
      find: '{ failureReason }) });\n  total.setBigInt(amount + fee);',
      replace: '{ failureReason }) });\n  total.setBigInt(amount);',
    },
    {
      name: 'the user cancels what is being paid',
      rule: 'M',
      find: 'checkOpen(withdrawal) ?? checkUnclaimed(withdrawal) ?? giveBack',
      replace: 'checkOpen(withdrawal) ?? giveBack',
    },
    {
      name: 'two operators claim the same withdrawal',
      rule: 'M',
      find: 'const refused = checkOpen(withdrawal) ?? checkUnclaimed(withdrawal);',
      replace: 'const refused = checkOpen(withdrawal);',
    },
    {
      name: 'a withdrawal is sent without a claim',
      rule: 'M',
      find: 'const unclaimed = state.rules < CLAIMS ? null : checkClaimed(withdrawal);',
      replace: 'const unclaimed = null;',
    },
    {
      name: 'an operator fails what another is paying',
      rule: 'M',
      find: 'return checkNotOthers(withdrawal, by) ?? giveBack',
      replace: 'return giveBack',
    },
    {
      name: 'a claim is kept when it is given back',
      rule: 'M',
      find: "set(state, { ...rest, state: 'processing' });",
      replace: "set(state, { ...withdrawal, state: 'processing' });",
    },
  ]),
];
