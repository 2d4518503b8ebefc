/** Creates users and gives them money. */

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { AreaField, TextField } from '../ui/field.tsx';
import { DrawerSection } from '../ui/panel.tsx';
import { useControlCalls } from './control.ts';

interface NewUser {
  readonly name: string;
  readonly userId: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const NAME_MAX = 64;
const BALANCES = 'USDT 100000\nBTC 2';

export function UserPanel() {
  return (
    <>
      <AddUser />
      <Faucet />
    </>
  );
}

function AddUser() {
  const { send, isPending, answer } = useControlCalls<NewUser>();
  const [name, setName] = useState('');
  const [text, setText] = useState(BALANCES);
  const balances = readBalances(text);
  return (
    <DrawerSection title="New user" about="With a key that has all permissions, and money in TRADE.">
      <TextField label="Name" value={name} onValue={setName} maxLength={NAME_MAX} />
      <AreaField
        label="Balances, one currency and amount per line"
        rows={3}
        value={text}
        onValue={setText}
        error={balances === undefined ? 'Each line is a currency and an amount, such as USDT 1000.' : ''}
      />
      <Button
        className="self-start"
        isBusy={isPending}
        disabled={name.trim() === '' || balances === undefined}
        onClick={() =>
          send({
            method: 'POST',
            path: '/users',
            body: { name: name.trim(), balances },
            done: `User ${name.trim()} created`,
          })
        }
      >
        Create the user
      </Button>
      {answer !== undefined && <KeyOf {...answer} />}
    </DrawerSection>
  );
}

function KeyOf({ name, userId, apiKey, apiSecret, apiPassphrase }: NewUser) {
  const facts = { user: `${name} (${userId})`, apiKey, apiSecret, apiPassphrase };
  return (
    <dl
      aria-label={`The key of ${name}`}
      className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-md border border-line p-3 text-xs"
    >
      {Object.entries(facts).map(([fact, value]) => (
        <div key={fact} className="contents">
          <dt className="text-muted">{fact}</dt>
          <dd className="flex min-w-0 items-center gap-1 font-mono">
            <span className="min-w-0 break-all">{value}</span>
            <CopyButton label={fact} text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Faucet() {
  const { send, isPending } = useControlCalls();
  const [user, setUser] = useState('alice');
  const [currency, setCurrency] = useState('USDT');
  const [amount, setAmount] = useState('1000');
  return (
    <DrawerSection title="Faucet" about="A deposit like any other: the ledger still sums to 0.">
      <div className="flex flex-wrap items-end gap-2">
        <TextField label="User" value={user} onValue={setUser} className="w-32" />
        <TextField label="Currency" value={currency} onValue={setCurrency} className="w-24" />
        <TextField label="Amount" inputMode="decimal" value={amount} onValue={setAmount} className="w-32" />
        <Button
          isBusy={isPending}
          onClick={() =>
            send({
              method: 'POST',
              path: '/faucet',
              body: { user, currency, amount, account: 'trade' },
              done: `${amount} ${currency} for ${user}`,
            })
          }
        >
          Give
        </Button>
      </div>
    </DrawerSection>
  );
}

const LINE = /^(\S+)\s+(\d+(?:\.\d+)?)$/;

/**
 * Parses lines such as `USDT 1000` into amounts by currency; undefined if a line is invalid or a currency repeats.
 */
function readBalances(text: string): Readonly<Record<string, string>> | undefined {
  const balances = new Map<string, string>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, currency, amount] = LINE.exec(line) ?? [];
    if (currency === undefined || amount === undefined || balances.has(currency)) return undefined;
    balances.set(currency, amount);
  }
  return Object.fromEntries(balances);
}
