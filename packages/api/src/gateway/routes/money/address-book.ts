/** A user's deposit addresses: existing ones, and new ones from the chain's source. */

import type { Address, Chain, Currency, Exchange } from '@bourse/core';
import { submit } from '@bourse/engine';
import { explain } from '../../errors/explain.ts';
import { Refusal } from '../../errors/refusal.ts';
import { isUnowned, sourceOf, sourcesOf } from '../../money/address-sources.ts';
import type { DepositAddress } from '../../money/custody.ts';
import { deriveAddress } from '../../money/key-addresses.ts';
import type { Call } from '../../route.ts';
import type { Services } from '../../services.ts';
import { chainOrFirst, currencyNamed } from './chains.ts';

export interface CreatedAddress extends DepositAddress {
  readonly chain: Chain;
  readonly currency: Currency;
}

/** Retries: another user may take the next address of a list or key between the look-up and the command. */
const TRIES_MAX = 20;

/** The addresses on chains that have a source. Refused if no chain of the requested currency has one. */
export async function readAddresses(
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

export async function createAddress(
  services: Services,
  { user, body, once }: Call<unknown, unknown, { currency: string; chain?: string }>,
): Promise<CreatedAddress> {
  const { port, catalogue, custody } = services;
  const currency = currencyNamed(catalogue, body.currency);
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
        `Your address on ${chain.chainName} is being made; ask again later.`,
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
      `All addresses on ${chain} are given; the exchange has to load new ones. Ask again later.`,
    );
  }
  return { address: first.address, memo: first.memo, ...more };
}

const noSource = ({ code }: Currency, chains: string): Refusal =>
  new Refusal(
    'deposit-disabled',
    `This exchange has no deposit addresses for ${code} on ${chains || 'any chain'}: no source of them is configured.`,
  );
