import { useCallback } from 'react';
import type { CallItem } from '../../shared/socket';
import { useCommonTexts } from './texts';

type Caller = Pick<CallItem, 'customer_name' | 'identity_confirmed'>;

/**
 * The name of the customer of a call. It says so if the call belongs to a known customer only because of an e-mail or phone that anybody
 * can type.
 */
export function useCustomerName(): (call: Caller) => string {
  const { notConfirmed } = useCommonTexts();
  return useCallback(
    ({ customer_name, identity_confirmed }) =>
      identity_confirmed === false ? `${customer_name} (${notConfirmed})` : customer_name,
    [notConfirmed],
  );
}
