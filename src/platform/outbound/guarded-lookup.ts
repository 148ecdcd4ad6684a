import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutboundFailure } from './outbound-failure';
import { isPublicAddress } from './public-address';
import type { Resolve } from './resolvers';

/**
 * Resolves a name once, for one connection: it is made to the addresses that were looked at here, and to no others.
 * @param isAllowed whether the addresses may be private; else a single one of them is enough to refuse the name
 */
export function guardedLookup(resolve: Resolve, isAllowed: boolean, signal: AbortSignal): LookupFunction {
  return (name, { all }, callback) => {
    void addressesOf(name, resolve, signal).then((addresses) => {
      const problem = isAllowed ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses;
      if (!first) return callback(new OutboundFailure('name does not resolve'), '');
      if (problem) return callback(new OutboundFailure('address not allowed'), '');
      return all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** None, too, if nobody can tell. */
async function addressesOf(name: string, resolve: Resolve, signal: AbortSignal): Promise<LookupAddress[]> {
  try {
    return await resolve(name, signal);
  } catch {
    return [];
  }
}
