/**
 * Withdrawals: asked for, cancelled while they are PROCESSING (the money and the chain's fee are held), then SUCCESS when
 * the operator's side has sent them, or FAILURE (not sent, or cancelled; the money is back). Only to addresses outside,
 * with the fee on top of the amount.
 */

import { Type } from '../../schema.ts';
import { formatMoney } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import { invalid, shown } from '../../errors/invalid.ts';
import { asked } from '../../paging.ts';
import { Refusal } from '../../errors/refusal.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { chainOrFirst, currencyNamed } from './deposits.ts';
import { amountOf } from './transfers.ts';

interface WithdrawalBody {
  readonly currency: string;
  readonly chain?: string;
  readonly amount: string;
  readonly memo?: string;
  readonly isInner?: boolean;
  readonly feeDeductType?: string;
}
type OldCall = Call<unknown, unknown, WithdrawalBody & { readonly address: string }>;
type NewCall = Call<
  unknown,
  unknown,
  WithdrawalBody & { readonly toAddress: string; readonly withdrawType?: string }
>;

const text = Type.String();
const optional = Type.Optional(text);
const perhaps = Type.Union([text, Type.Null()]);

const BODY = {
  currency: text,
  amount: text,
  chain: optional,
  memo: optional,
  isInner: Type.Optional(Type.Boolean({ description: 'Only false.' })),
  remark: Type.Optional(Type.String({ description: 'Not kept.' })),
  feeDeductType: Type.Optional(
    Type.String({ description: 'Only EXTERNAL: the fee is on top of the amount.' }),
  ),
};

export function withdrawalRoutes(services: Services): Route[] {
  const { port, catalogue } = services;
  const ask = {
    method: 'POST',
    access: 'withdrawal',
    pool: 'manage',
    weight: 5,
    shape: 'A',
    answer: Type.Object({ withdrawalId: text }),
  } as const;
  return [
    route({
      ...ask,
      id: 'old-withdraw',
      path: '/api/v1/withdrawals',
      summary: 'Asks for a withdrawal from MAIN to an address.',
      body: Type.Object({ ...BODY, address: text }),
      handle: (call: OldCall) => withdraw(services, call, call.body.address),
    }),
    route({
      ...ask,
      id: 'withdraw',
      path: '/api/v3/withdrawals',
      summary: 'Asks for a withdrawal from MAIN to an address.',
      body: Type.Object({
        ...BODY,
        toAddress: text,
        withdrawType: Type.Optional(Type.String({ description: 'Only ADDRESS.' })),
      }),
      handle(call: NewCall) {
        const { withdrawType = 'ADDRESS', toAddress } = call.body;
        if (withdrawType !== 'ADDRESS') throw invalid(`withdrawType ${shown(withdrawType)} must be ADDRESS.`);
        return withdraw(services, call, toAddress);
      },
    }),
    route({
      id: 'cancel-withdrawal',
      method: 'DELETE',
      path: '/api/v1/withdrawals/:withdrawalId',
      summary: 'Cancels a withdrawal that is still PROCESSING.',
      access: 'withdrawal',
      pool: 'manage',
      weight: 20,
      isRepeatable: true,
      shape: 'A',
      params: Type.Object({ withdrawalId: text }),
      answer: Type.Null(),
      async handle({ user, params, once }: Call<{ readonly withdrawalId: string }, unknown, unknown>) {
        const withdrawal = parseMarkedId('withdrawal', params.withdrawalId);
        if (withdrawal < 0)
          throw new Refusal('withdrawal-unknown', `${shown(params.withdrawalId)} is no withdrawal's id.`);
        const command = { kind: 'cancel-withdrawal', user, withdrawal } as const;
        const { outcome } = await port.submit({ ...command, ...(once && { once }) });
        if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue);
        return null;
      },
    }),
    route({
      id: 'get-withdrawal-quotas',
      method: 'GET',
      path: '/api/v1/withdrawals/quotas',
      summary: 'What may be withdrawn of a currency: what is available in MAIN, there are no other quotas.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      query: Type.Object({ currency: text, chain: optional }),
      answer: Type.Object({
        currency: text,
        limitBTCAmount: perhaps,
        usedBTCAmount: perhaps,
        quotaCurrency: text,
        limitQuotaCurrencyAmount: text,
        usedQuotaCurrencyAmount: text,
        remainAmount: text,
        availableAmount: text,
        withdrawMinFee: text,
        innerWithdrawMinFee: text,
        withdrawMinSize: text,
        isWithdrawEnabled: Type.Boolean(),
        precision: Type.Integer(),
        chain: text,
        reason: perhaps,
        lockedAmount: text,
      }),
      handle: (call: Call<unknown, { currency: string; chain?: string }, unknown>) =>
        quotasOf(services, call),
    }),
  ];
}

async function withdraw(
  { port, catalogue }: Services,
  { user, body, once }: Call<unknown, unknown, WithdrawalBody>,
  address: string,
): Promise<{ withdrawalId: string }> {
  const { isInner = false, feeDeductType, memo = '', amount } = body;
  if (isInner) throw invalid('isInner must be false: between users of this exchange nothing is withdrawn.');
  if (feeDeductType && feeDeductType !== 'EXTERNAL')
    throw invalid(`feeDeductType ${shown(feeDeductType)} must be EXTERNAL.`);
  const currency = currencyNamed(catalogue, body.currency);
  const { outcome } = await port.submit({
    kind: 'request-withdrawal',
    user,
    currency: currency.number,
    chain: chainOrFirst(currency, body.chain).chainId,
    amount: amountOf(amount, currency),
    address,
    memo,
    ...(once && { once }),
  });
  if (outcome.kind === 'rejected')
    throw explain(outcome.rejection, catalogue, { currency, purpose: 'transfer' });
  if (outcome.kind !== 'added') throw new Error(`a withdrawal came to '${outcome.kind}'`);
  return { withdrawalId: markedId('withdrawal', outcome.id) };
}

async function quotasOf(
  { port, catalogue }: Services,
  call: Call<unknown, { currency: string; chain?: string }, unknown>,
) {
  const currency = currencyNamed(catalogue, call.query.currency);
  const chain = chainOrFirst(currency, asked(call, 'chain'));
  const { available, hold } = await port.read((exchange) =>
    exchange.balance(call.user, 'main', currency.number),
  );
  const free = formatMoney(available, currency.scale);
  return {
    currency: currency.code,
    limitBTCAmount: null,
    usedBTCAmount: null,
    quotaCurrency: currency.code,
    limitQuotaCurrencyAmount: free,
    usedQuotaCurrencyAmount: '0',
    remainAmount: free,
    availableAmount: free,
    withdrawMinFee: chain.withdrawalMinFee,
    innerWithdrawMinFee: '0',
    withdrawMinSize: chain.withdrawalMinSize,
    isWithdrawEnabled: chain.isWithdrawEnabled,
    precision: currency.precision,
    chain: chain.chainName,
    reason: null,
    lockedAmount: formatMoney(hold, currency.scale),
  };
}
