/** Previews the effect of money calls on a user's MAIN account: a sentence with the balance before and after. */

import { Decimal, formatExact } from '../../decimal/decimal.ts';
import { useOperatorQuery, useUsers } from '../operator/queries.tsx';
import { useListedCurrencies } from './action-form.tsx';

interface Balance {
  readonly type: string;
  readonly currency: string;
  readonly available: string;
  readonly holds: string;
}

type Account = 'MAIN' | 'TRADE';

/** Undefined until it has loaded. */
function useBalance(
  userId: string,
  currency: string,
  type: Account,
): Pick<Balance, 'available' | 'holds'> | undefined {
  const balances = useOperatorQuery<readonly Balance[]>(
    `/v1/users/${encodeURIComponent(userId)}/balances`,
  ).data;
  const found = balances?.find((each) => each.type === type && each.currency === currency);
  return balances && (found ?? { available: '0', holds: '0' });
}

const useMain = (userId: string, currency: string) => useBalance(userId, currency, 'MAIN');

export function DepositEffect({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const [user, currency, amount] = [body['userId'], body['currency'], body['amount']].map(String);
  const name = useUsers().data?.find((each) => each.userId === user)?.name ?? user;
  const main = useMain(user!, currency!);
  const listed = useListedCurrencies().data?.find((each) => each.currency === currency);
  const chains = listed?.chains ?? [];
  const chain = chains.find(({ chainId }) => chainId === body['chain']) ?? chains[0];
  const hasFee = chain !== undefined && !Decimal.of(chain.depositFeeRate).isZero;
  const value = Decimal.parse(amount!);
  const waits = body['travelRule'] === true;
  if (main === undefined || value === null) return null;
  const before = Decimal.of(main.available);
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

export interface Moved {
  readonly userId: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
}

interface MovedProps {
  readonly of: Moved;
  /** The user's name. */
  readonly name: string;
}

/** Credits the deposit minus its fee. */
export function AcceptEffect({ of, name }: MovedProps) {
  const main = useMain(of.userId, of.currency);
  if (main === undefined) return null;
  const credited = Decimal.of(of.amount).minus(Decimal.of(of.fee));
  return (
    <p className="text-sm">
      Credit <Sum amount={credited.toString()} currency={of.currency} /> to <strong>{name}</strong>
      {Decimal.of(of.fee).isZero ? '' : `, ${formatExact(of.amount)} less the fee of ${formatExact(of.fee)}`}:
      MAIN <Step before={main.available} after={Decimal.of(main.available).plus(credited)} />.
    </p>
  );
}

/** The held amount and fee leave the account. */
export function SentEffect({ of, name, address }: MovedProps & { readonly address: string }) {
  const main = useMain(of.userId, of.currency);
  if (main === undefined) return null;
  const total = Decimal.of(of.amount).plus(Decimal.of(of.fee));
  return (
    <p className="text-sm break-words">
      Pay <Sum amount={of.amount} currency={of.currency} /> to <code>{address}</code>, with a fee of{' '}
      {formatExact(of.fee)}: held in MAIN of <strong>{name}</strong>{' '}
      <Step before={main.holds} after={Decimal.of(main.holds).minus(total)} />.
    </p>
  );
}

/** The held amount and fee become available again. */
export function NotSentEffect({ of, name }: MovedProps) {
  const main = useMain(of.userId, of.currency);
  if (main === undefined) return null;
  const total = Decimal.of(of.amount).plus(Decimal.of(of.fee));
  return (
    <p className="text-sm">
      Give <Sum amount={total.toString()} currency={of.currency} /> back to <strong>{name}</strong>, the fee
      included: MAIN <Step before={main.available} after={Decimal.of(main.available).plus(total)} />.
    </p>
  );
}

/** Debits a credited deposit minus its fee, which was never credited. */
export function ReversedDepositEffect({ of, name }: MovedProps) {
  const main = useMain(of.userId, of.currency);
  if (main === undefined) return null;
  const taken = Decimal.of(of.amount).minus(Decimal.of(of.fee));
  const after = Decimal.of(main.available).minus(taken);
  return (
    <p className="text-sm">
      Take <Sum amount={taken.toString()} currency={of.currency} /> back from <strong>{name}</strong>: MAIN{' '}
      <Step before={main.available} after={after} />.
      {after.compare(Decimal.zero) < 0 && (
        <span className="text-warning"> Part of it was spent, so the exchange will reject this.</span>
      )}
    </p>
  );
}

/** Credits the amount and fee of a sent withdrawal that came back. */
export function ReversedWithdrawalEffect({ of, name }: MovedProps) {
  const main = useMain(of.userId, of.currency);
  if (main === undefined) return null;
  const total = Decimal.of(of.amount).plus(Decimal.of(of.fee));
  return (
    <p className="text-sm">
      Credit <Sum amount={total.toString()} currency={of.currency} /> to <strong>{name}</strong>, the fee
      included: MAIN <Step before={main.available} after={Decimal.of(main.available).plus(total)} />.
    </p>
  );
}

interface MoveSide {
  readonly userId?: string;
  readonly account?: string;
  readonly system?: string;
}

/** A move between two accounts, with the balance of each before and after. */
export function MoveEffect({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  const { currency, amount, from, to } = body as {
    readonly currency: string;
    readonly amount: string;
    readonly from: MoveSide;
    readonly to: MoveSide;
  };
  const value = Decimal.parse(amount);
  if (value === null) return null;
  return (
    <p className="text-sm">
      Move <Sum amount={amount} currency={currency} /> from{' '}
      <MovedSide side={from} currency={currency} change={new Decimal(-value.units, value.scale)} /> to{' '}
      <MovedSide side={to} currency={currency} change={value} />.
    </p>
  );
}

interface MovedSideProps {
  readonly side: MoveSide;
  readonly currency: string;
  readonly change: Decimal;
}

function MovedSide({ side: { userId, account = '', system = '' }, currency, change }: MovedSideProps) {
  if (userId === undefined) return <strong>{system}</strong>;
  return <UserSide {...{ userId, currency, change }} type={account.toUpperCase() as Account} />;
}

function UserSide({
  userId,
  type,
  currency,
  change,
}: {
  readonly userId: string;
  readonly type: Account;
  readonly currency: string;
  readonly change: Decimal;
}) {
  const balance = useBalance(userId, currency, type);
  const name = useUsers().data?.find((each) => each.userId === userId)?.name ?? userId;
  return (
    <>
      <strong>{name}</strong> ({type}
      {balance && (
        <>
          {' '}
          <Step before={balance.available} after={Decimal.of(balance.available).plus(change)} />
        </>
      )}
      )
    </>
  );
}

const Sum = ({ amount, currency }: { readonly amount: string; readonly currency: string }) => (
  <strong>
    {formatExact(amount)} {currency}
  </strong>
);

const Step = ({ before, after }: { readonly before: string; readonly after: Decimal }) => (
  <>
    {formatExact(before)} → <strong>{formatExact(after.toString())}</strong>
  </>
);
