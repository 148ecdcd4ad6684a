import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error';
import { isPublicAddress } from './public-address';
import type { Resolve } from './resolvers';

/**
 * A lookup for one connection that resolves the host name once and checks every address. The connection
 * uses the checked addresses, so a later DNS answer cannot redirect it (DNS rebinding).
 * @param allowPrivate if false, a single private address among the results refuses the host
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean, signal: AbortSignal): LookupFunction {
  return (name, { all }, callback) => {
    void addressesOf(name, resolve, signal).then((addresses) => {
      const [first] = addresses;
      const isRefused = !allowPrivate && addresses.some(({ address }) => !isPublicAddress(address));
      if (!first) return callback(new OutboundError('host name does not resolve'), '');
      if (isRefused) return callback(new OutboundError('address not allowed'), '');
      return all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Empty if the lookup fails. */
async function addressesOf(name: string, resolve: Resolve, signal: AbortSignal): Promise<LookupAddress[]> {
  try {
    return await resolve(name, signal);
  } catch {
    return [];
  }
}
