/**
 * A user's deposit addresses: existing ones, and new ones from the chain's source, in the three formats of the family.
 * Deposits go to MAIN.
 */

import type { Address, Chain, Currency, Exchange } from '@bourse/core';
import { shortened, submit } from '@bourse/engine';
import { explain } from '../../errors/explain.ts';
import { Refusal } from '../../errors/refusal.ts';
import { currencyOf } from '../../members.ts';
import {
  type DepositAddress,
  deriveAddress,
  isUnowned,
  sourceOf,
  sourcesOf,
} from '../../money/address-sources.ts';
import { queryValue } from '../../paging.ts';
import { type Call, route, type Route } from '../../route.ts';
import { Type } from '../../schema.ts';
import type { Services } from '../../services.ts';

export function chainOrFirst(currency: Currency, name: string | undefined): Chain {
  const chain = name ? chainNamed(currency, name) : currency.chains[0];
  if (chain) return chain;
  const known = currency.chains.map(({ chainId }) => chainId).join(', ');
  if (known === '')
    throw new Refusal(
      'chain-unknown',
      `${currency.code} has no chain, so it cannot be deposited or withdrawn.`,
    );
  throw new Refusal(
    'chain-unknown',
    `${currency.code} has no chain '${shortened(name ?? '')}': it has ${known}.`,
  );
}

/** By id or by name. */
const chainNamed = (currency: Currency, name: string): Chain | undefined =>
  currency.chains.find(({ chainId, chainName }) => chainId === name || chainName === name);

/** The currency's chain may have been removed since the address was created. */
export function chainOf(
  currency: Currency,
  chainId: string,
): Pick<Chain, 'chainId' | 'chainName' | 'contractAddress'> {
  return chainNamed(currency, chainId) ?? { chainId, chainName: chainId, contractAddress: '' };
}

export interface CreatedAddress extends DepositAddress {
  readonly chain: Chain;
  readonly currency: Currency;
}

/** Retries: another user may take the next address of a list or key between the look-up and the command. */
const TRIES_MAX = 20;

/** The addresses on chains that have a source. Refused if no chain of the requested currency has one. */
async function readAddresses(
  { port, custody }: Services,
  user: number,
  currency: Currency,
  chain?: string,
): Promise<readonly Address[]> {
  const [all, sources] = await port.read(({ reference }) => [
    reference.addressesOf(user, currency.number),
    sourcesOf(reference),
  ]);
  if (custody !== null) return all;
  const wanted = chain === undefined ? currency.chains.map(({ chainId }) => chainId) : [chain];
  if (!wanted.some((each) => sources.has(each))) throw noSource(currency, wanted.join(', '));
  return all.filter((each) => sources.has(each.chain) && !isUnowned(each, currency.code));
}

interface Proposal extends DepositAddress {
  readonly index?: number;
  readonly replaces?: string;
}

async function createAddress(
  services: Services,
  { user, body, once }: Call<unknown, unknown, { currency: string; chain?: string }>,
): Promise<CreatedAddress> {
  const { port, catalogue, custody } = services;
  const currency = currencyOf(catalogue, body.currency);
  const chain = chainOrFirst(currency, body.chain);
  const of = { user, currency: currency.number, chain: chain.chainId };
  for (let tries = 1; ; tries++) {
    const proposal: Proposal | null =
      custody?.address(user, currency.code, chain.chainId) ??
      (await port.read((exchange) => propose(exchange, services, user, currency, chain.chainId)));
    // The idempotency key can be used only once, so retries omit it.
    const only = once && tries === 1 ? { once } : {};
    const command = proposal
      ? ({ kind: 'add-address', ...of, ...proposal, ...only } as const)
      : ({ kind: 'ask-address', ...of, ...only } as const);
    const { outcome } = await submit(port, command, user);
    if (outcome.kind !== 'rejected') {
      if (proposal) {
        services.addressStock?.changed();
        return { address: proposal.address, memo: proposal.memo, chain, currency };
      }
      throw new Refusal(
        'deposit-disabled',
        `Your address on ${chain.chainName} is being created. Try again later.`,
      );
    }
    const { rejection } = outcome;
    const isTaken = rejection.code === 'address-in-use' || rejection.code === 'address-index';
    if (!isTaken || custody !== null || tries === TRIES_MAX) throw explain(rejection, catalogue);
  }
}

/** The next address of the chain's source; null if an operator's program creates it. */
function propose(
  { reference }: Exchange,
  { catalogue, addressStock }: Services,
  user: number,
  currency: Currency,
  chain: string,
): Proposal | null {
  const source = sourceOf(reference, chain);
  if (!source) throw noSource(currency, chain);
  const before = reference.addressesOf(user, currency.number).find((each) => each.chain === chain);
  const isReplaced = before !== undefined && isUnowned(before, currency.code);
  const more = isReplaced ? { replaces: before.address } : {};
  // An address of a chain serves all its currencies.
  const own = reference.addressOn(user, chain);
  const ownCode = own && catalogue.currencyAt(own.currency).code;
  if (own && ownCode && !isUnowned(own, ownCode)) return { address: own.address, memo: own.memo, ...more };
  if (source.kind === 'program') return null;
  if (source.kind === 'key') {
    const index = reference.nextAddressIndex(chain);
    return { address: deriveAddress(chain, source.key ?? '', index), memo: '', index, ...more };
  }
  const { first } = reference.freeAddresses(chain);
  if (!first) {
    addressStock?.refuse();
    throw new Refusal(
      'deposit-disabled',
      `All addresses on ${chain} are assigned; the exchange must load new ones. Try again later.`,
    );
  }
  return { address: first.address, memo: first.memo, ...more };
}

const noSource = ({ code }: Currency, chains: string): Refusal =>
  new Refusal(
    'deposit-disabled',
    `This exchange has no deposit addresses for ${code} on ${chains || 'any chain'}: no source of them is configured.`,
  );

const text = Type.String();

const ADDRESS_SCHEMA = Type.Object({ address: text, memo: text, chain: text, contractAddress: text });

export function addressRoutes(services: Services): Route[] {
  const { catalogue } = services;
  return [
    route({
      id: 'list-deposit-addresses',
      method: 'GET',
      path: '/api/v2/deposit-addresses',
      summary: "The caller's deposit addresses for a currency; empty until one is created.",
      access: 'general',
      pool: 'manage',
      weight: 5,
      shape: 'bare',
      query: {
        currency: text,
        chain: Type.Optional(
          Type.String({ description: 'In the family dialect: only addresses of this chain.' }),
        ),
      },
      answer: Type.Array(ADDRESS_SCHEMA),
      async handle({ user, query, dialect }) {
        const currency = currencyOf(catalogue, query.currency);
        const addresses = await readAddresses(services, user, currency);
        return addresses
          .map(({ address, memo, chain }) =>
            shown(address, memo, chainOf(currency, chain), currency, dialect.isLiteral),
          )
          .filter(
            ({ chain }) =>
              dialect.isLiteral || !query.chain || chain === chainNamed(currency, query.chain)?.chainName,
          );
      },
    }),
    route({
      id: 'create-deposit-address',
      method: 'POST',
      path: '/api/v1/deposit-addresses',
      summary: 'Creates the deposit address for a currency on a chain. There is only one.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      body: { currency: text, chain: Type.Optional(text) },
      answer: ADDRESS_SCHEMA,
      async handle(call) {
        const { address, memo, chain, currency } = await createAddress(services, call);
        return shown(address, memo, chain, currency, call.dialect.isLiteral);
      },
    }),
  ];
}

function shown(
  address: string,
  memo: string,
  { chainId, chainName, contractAddress }: Pick<Chain, 'chainId' | 'chainName' | 'contractAddress'>,
  currency: Currency,
  isLiteral: boolean,
) {
  const detail = { address, memo, chain: chainName, contractAddress };
  return isLiteral ? detail : { ...detail, chainId, to: 'MAIN', currency: currency.code };
}

// The first and third format.

type AddressCall = Call<unknown, { currency: string; chain?: string }, unknown>;

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
        const currency = currencyOf(catalogue, call.query.currency);
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
        const currency = currencyOf(catalogue, call.query.currency);
        const chain = queryValue(call, 'chain');
        // A filter that matches nothing gives an empty list.
        if (chain !== undefined && chainNamed(currency, chain) === undefined) return [];
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
  const name = queryValue(call, 'chain');
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
