/** Deposit addresses in the family's first and third format; the second is in deposits.ts. Deposits go to MAIN. */

import type { Address, Currency } from '@bourse/core';
import { Type } from '../../schema.ts';
import { Refusal } from '../../errors/refusal.ts';
import { asked } from '../../paging.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { createAddress, readAddresses } from './address-book.ts';
import { chainOf, chainOrFirst, currencyNamed } from './chains.ts';

type AddressCall = Call<unknown, { currency: string; chain?: string }, unknown>;

const text = Type.String();
const optional = Type.Optional(text);
const QUERY = { currency: text, chain: optional };
const THIRD = Type.Object({
  address: text,
  memo: text,
  chainId: text,
  to: text,
  expirationDate: Type.Integer(),
  currency: text,
  contractAddress: text,
  chainName: text,
});

export function familyAddressRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const look = {
    method: 'GET',
    access: 'general',
    pool: 'manage',
    weight: 5,
    shape: 'A',
    query: QUERY,
  } as const;
  return [
    route({
      ...look,
      id: 'get-deposit-address',
      path: '/api/v1/deposit-addresses',
      summary:
        "The caller's deposit address for a currency on a chain; by default on the first chain with an address.",
      answer: Type.Object({
        address: text,
        memo: text,
        chain: text,
        chainId: text,
        to: text,
        currency: text,
      }),
      async handle(call) {
        const currency = currencyNamed(catalogue, call.query.currency);
        const [found] = await addressesOf(services, call, currency);
        if (!found) {
          throw new Refusal(
            'address-unknown',
            `Create one with POST /api/v1/deposit-addresses for ${currency.code}.`,
          );
        }
        const { chainId, chainName } = chainOf(currency, found.chain);
        const { address, memo } = found;
        return { address, memo, chain: chainName, chainId, to: 'MAIN', currency: currency.code };
      },
    }),
    route({
      ...look,
      id: 'list-deposit-addresses-with-chains',
      path: '/api/v3/deposit-addresses',
      summary:
        "The caller's deposit addresses for a currency, with their chains; empty until one is created.",
      answer: Type.Array(THIRD),
      async handle(call) {
        const currency = currencyNamed(catalogue, call.query.currency);
        return (await addressesOf(services, call, currency)).map((each) => show(each, currency));
      },
    }),
    route({
      ...look,
      id: 'create-deposit-address-with-chain',
      method: 'POST',
      path: '/api/v3/deposit-address/create',
      summary: 'Creates the deposit address for a currency on a chain. There is only one.',
      weight: 20,
      query: {},
      body: { currency: text, chain: optional },
      answer: THIRD,
      async handle(call) {
        const { currency, chain, address, memo } = await createAddress(services, call);
        return show({ address, memo, chain: chain.chainId }, currency);
      },
    }),
  ];
}

async function addressesOf(
  services: Services,
  call: AddressCall,
  currency: Currency,
): Promise<readonly Address[]> {
  const name = asked(call, 'chain');
  const chain = name === undefined ? undefined : chainOrFirst(currency, name).chainId;
  const addresses = await readAddresses(services, call.user, currency, chain);
  return addresses.filter((each) => chain === undefined || each.chain === chain);
}

function show({ address, memo, chain }: Pick<Address, 'address' | 'memo' | 'chain'>, currency: Currency) {
  const { chainId, chainName, contractAddress } = chainOf(currency, chain);
  return {
    address,
    memo,
    chainId,
    to: 'MAIN',
    expirationDate: 0,
    currency: currency.code,
    contractAddress,
    chainName,
  };
}
