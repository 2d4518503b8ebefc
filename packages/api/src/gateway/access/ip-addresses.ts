/**
 * Client addresses. An address has many spellings; the canonical one here is what the system reports for the peer,
 * with an IPv4-mapped IPv6 address as IPv4, and without the zone of a link.
 */

import { isIP, isIPv6, type Socket, SocketAddress } from 'node:net';
import { shortened } from '@bourse/engine';

const IPV4_IN_IPV6 = '::ffff:';
/** 16 bits each. */
const GROUPS = 8;
/** A /64, the smallest network that a customer gets, with too many addresses to count separately. */
const NETWORK_GROUPS = 4;

/** The peer of a unix socket has no address. */
export const UNIX_ADDRESS = 'unix';

const unixSockets = new WeakSet<Socket>();

/** Call it before reading its address. */
export function noteUnixSocket(socket: Socket): void {
  unixSockets.add(socket);
}

/** The peer's address; '' if it is already disconnected. */
export function peerAddress(socket: Socket): string {
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined) return fromSystem(remoteAddress);
  return unixSockets.has(socket) ? UNIX_ADDRESS : '';
}

/** A text that is not an address is returned unchanged. */
export function canonicalIp(text: string): string {
  if (!isIPv6(text)) return text;
  return fromSystem(new SocketAddress({ address: text, family: 'ipv6' }).address);
}

/** The addresses of an `ipAllowList`, canonical. `refuse` makes the error of an interface. */
export function readAddresses(
  addresses: readonly string[],
  refuse: (error: 'value-invalid', msg: string) => Error,
): string[] {
  return addresses.map((address) => {
    if (isIP(address) !== 0) return canonicalIp(address);
    const msg = `ipAllowList: '${shortened(address)}' is not an address such as 203.0.113.7 or 2001:db8::7.`;
    throw refuse('value-invalid', msg);
  });
}

/** The key for an address's limits: itself in IPv4, its /64 in IPv6. For canonical spellings. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const between = tail === undefined ? [] : Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...between, ...(tail ?? [])].slice(0, NETWORK_GROUPS).join(':');
}

/** The key for a request's limits: its authenticated user, else its address. */
export const senderOf = (user: number, address: string): string =>
  user < 0 ? networkOf(address) : `user ${user}`;

function fromSystem(address: string): string {
  if (address.startsWith(IPV4_IN_IPV6)) return address.slice(IPV4_IN_IPV6.length);
  const zone = address.indexOf('%');
  return zone < 0 ? address : address.slice(0, zone);
}
