/** Deposit addresses: the source of each chain, loaded lists, and pending requests. */

import { shortened } from '@bourse/engine';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { addressFault, canonicalAddress } from '../money/addresses.ts';
import {
  type AddressSource,
  FEW_ADDRESSES,
  keyFault,
  sourceNote,
  sourcesOf,
} from '../money/address-sources.ts';
import { userId } from '../ids.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findChain, findCurrency, findUser } from './resolve.ts';

const Text = Type.String();
const ADDRESSES_MAX = 1000;

export const ADDRESS_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-address-sources',
    method: 'GET',
    path: '/v1/address-sources',
    summary:
      'The source of each chain’s deposit addresses, and the number of free ones. A venue’s chain without a source has no addresses.',
    handle: ({ services }) => readSources(services),
  }),
  operatorRoute({
    id: 'set-address-source',
    method: 'POST',
    path: '/v1/address-sources',
    roles: ['finance'],
    summary:
      'Sets the source of a chain’s deposit addresses: `list` (loaded), `key` (an extended public key), `program` (which posts them), or `none`.',
    body: {
      chain: Text,
      source: Type.Union([
        Type.Literal('list'),
        Type.Literal('key'),
        Type.Literal('program'),
        Type.Literal('none'),
      ]),
      key: Type.Optional(Type.String({ maxLength: 256 })),
    },
    async handle({ services, body, act }) {
      const { chain, source, key } = body;
      checkChain(services, chain);
      if ((source === 'key') !== (key !== undefined)) {
        const msg = 'key: required with the source `key`, and not allowed with any other.';
        throw operatorRefusal(key === undefined ? 'field-missing' : 'field-not-allowed', msg);
      }
      const fault = key === undefined ? null : keyFault(chain, key);
      if (fault !== null) throw operatorRefusal('value-invalid', `key: ${fault}.`);
      const set: AddressSource | null =
        source === 'none' ? null : { kind: source, ...(key !== undefined && { key }) };
      await act({ kind: 'set-note', ...sourceNote(chain, set) });
      services.addressStock?.changed();
      return readSources(services);
    },
  }),
  operatorRoute({
    id: 'load-addresses',
    method: 'POST',
    path: '/v1/address-lists',
    roles: ['finance'],
    summary: `Loads up to ${ADDRESSES_MAX} addresses of a chain, each for one user, with a memo where the chain has one.`,
    body: {
      chain: Text,
      addresses: Type.Array(Type.Object({ address: Text, memo: Type.Optional(Text) }), {
        minItems: 1,
        maxItems: ADDRESSES_MAX,
      }),
    },
    async handle({ services, body, act }) {
      const { chain } = body;
      checkChain(services, chain);
      const addresses = body.addresses.map(({ address, memo = '' }, at) => ({
        address: canonical(chain, address, `addresses[${at}].address`),
        memo,
      }));
      await act({ kind: 'load-addresses', chain, addresses });
      services.addressStock?.changed();
      return readSources(services);
    },
  }),
  operatorRoute({
    id: 'list-address-requests',
    method: 'GET',
    path: '/v1/address-requests',
    summary: 'Pending requests for a deposit address from an operator’s program.',
    async handle({ services: { port, catalogue } }) {
      const asked = await port.read(({ reference }) => reference.askedAddresses());
      return asked.map(({ user, currency, chain }) => ({
        userId: userId(user),
        currency: catalogue.currencyAt(currency).code,
        chain,
      }));
    },
  }),
  operatorRoute({
    id: 'give-address',
    method: 'POST',
    path: '/v1/addresses',
    roles: ['finance'],
    summary: 'Assigns a user a deposit address created by a program. No address is assigned to two users.',
    body: {
      userId: Text,
      currency: Text,
      chain: Type.Optional(Text),
      address: Text,
      memo: Type.Optional(Text),
    },
    async handle({ services, body, act }) {
      const user = findUser(services, body.userId).number;
      const currency = findCurrency(services, body.currency);
      const { chainId: chain } = findChain(currency, body.chain);
      const address = canonical(chain, body.address, 'address');
      const { memo = '' } = body;
      await act({ kind: 'add-address', user, currency: currency.number, chain, address, memo });
      return { userId: userId(user), currency: currency.code, chain, address, memo };
    },
  }),
];

async function readSources({ port, catalogue }: OperatorServices) {
  const chains = new Set(catalogue.currencies().flatMap((each) => each.chains.map(({ chainId }) => chainId)));
  return port.read(({ reference }) => {
    const sources = sourcesOf(reference);
    const asked = reference.askedAddresses();
    return [...chains].toSorted().map((chain) => {
      const source = sources.get(chain);
      const { count } = reference.freeAddresses(chain);
      return {
        chain,
        source: source?.kind ?? 'none',
        key: source?.key ?? null,
        free: count,
        nextIndex: source?.kind === 'key' ? reference.nextAddressIndex(chain) : null,
        requests: asked.filter((each) => each.chain === chain).length,
        warning: source?.kind === 'list' && count <= FEW_ADDRESSES ? `${count} addresses are left` : null,
      };
    });
  });
}

function checkChain({ catalogue }: OperatorServices, chain: string): void {
  const known = catalogue.currencies().some((each) => each.chains.some(({ chainId }) => chainId === chain));
  if (!known)
    throw operatorRefusal('chain-unknown', `chain: no currency has the chain '${shortened(chain)}'.`);
}

function canonical(chain: string, address: string, field: string): string {
  const like = addressFault(chain, address);
  if (like === null) return canonicalAddress(chain, address);
  throw operatorRefusal('value-invalid', `${field}: this is not an address on ${chain}. Expected ${like}.`);
}
