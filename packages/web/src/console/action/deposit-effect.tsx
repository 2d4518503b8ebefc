/** What a reported deposit does to the user's account, in a sentence with the balance before and after. */

import { Decimal } from '../../decimal/decimal.ts';
import { formatExact } from '../../decimal/format.ts';
import { useOperatorQuery } from '../operator/use-operator-query.ts';
import { useUsers } from '../operator/user-names.ts';
import { useListedCurrencies } from './known-values.ts';

interface Balance {
  readonly type: string;
  readonly currency: string;
  readonly available: string;
}

export function DepositEffect({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const [user, currency, amount] = [body['userId'], body['currency'], body['amount']].map(String);
  const name = useUsers().data?.find((each) => each.userId === user)?.name ?? user;
  const balances = useOperatorQuery<readonly Balance[]>(
    `/v1/users/${encodeURIComponent(user!)}/balances`,
  ).data;
  const listed = useListedCurrencies().data?.find((each) => each.currency === currency);
  const chains = listed?.chains ?? [];
  const chain = chains.find(({ chainId }) => chainId === body['chain']) ?? chains[0];
  const hasFee = chain !== undefined && !Decimal.of(chain.depositFeeRate).isZero;
  const main = balances?.find((each) => each.type.toUpperCase() === 'MAIN' && each.currency === currency);
  const value = Decimal.parse(amount!);
  const waits = body['travelRule'] === true;
  if (balances === undefined || value === null) return null;
  const before = Decimal.of(main?.available);
  return (
    <p className="text-sm">
      {waits ? 'Hold' : 'Credit'}{' '}
      <strong>
        {formatExact(amount)} {currency}
      </strong>{' '}
      {waits ? 'for' : 'to'} <strong>{name}</strong>
      {waits
        ? ' until the questionnaire is accepted: MAIN stays at '
        : hasFee
          ? `, less the chain's fee of ${chain.depositFeeRate} of it: MAIN is now `
          : ': MAIN '}
      {formatExact(before.toString())}
      {!waits && !hasFee && (
        <>
          {' '}
          → <strong>{formatExact(before.plus(value).toString())}</strong>
        </>
      )}
      .
    </p>
  );
}
