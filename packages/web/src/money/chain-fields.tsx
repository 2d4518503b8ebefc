/** Currency and chain: the first two fields of the deposit, withdrawal and address book forms. */

import { useState } from 'react';
import { type ChainInfo, type CurrencyInfo, useCurrencies } from '../exchange/market-data.ts';
import { SelectField } from '../ui/field.tsx';

export interface ChainChoice {
  readonly currencies: readonly CurrencyInfo[];
  readonly currency: string;
  readonly chains: readonly ChainInfo[];
  /** The chosen chain, or the currency's first; undefined if the currency has none. */
  readonly chain: ChainInfo | undefined;
  readonly setCurrency: (currency: string) => void;
  readonly setChain: (chainId: string) => void;
}

export function useChainChoice(first: string): ChainChoice {
  const currencies = useCurrencies().data ?? [];
  const [currency, setCurrency] = useState(first || 'USDT');
  const [chosen, setChain] = useState('');
  const chains = currencies.find((each) => each.currency === currency)?.chains ?? [];
  return {
    currencies,
    currency,
    chains,
    chain: chains.find((each) => each.chainId === chosen) ?? chains[0],
    setCurrency: (value) => {
      setCurrency(value);
      setChain('');
    },
    setChain,
  };
}

export interface ChainFieldsProps {
  readonly choice: ChainChoice;
  readonly hint?: string;
}

export function ChainFields({ choice, hint }: ChainFieldsProps) {
  const { currencies, currency, chains, chain, setCurrency, setChain } = choice;
  return (
    <div className="grid max-w-xl grid-cols-2 gap-3">
      <SelectField
        label="Currency"
        value={currency}
        onValue={setCurrency}
        choices={currencies.map((each) => ({
          value: each.currency,
          label: `${each.currency} · ${each.fullName}`,
        }))}
      />
      <SelectField
        label="Chain"
        value={chain?.chainId ?? ''}
        onValue={setChain}
        choices={chains.map((each) => ({ value: each.chainId, label: each.chainName }))}
        hint={hint}
      />
    </div>
  );
}
