import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { notifySuccess } from '../../../ui/form/page-form';
import { customerTexts } from '../texts/texts';
import { CUSTOMERS_KEY, type Customer } from '../use-customers';

/** @returns merges customers into the one who remains. @throws ApiError */
export function useMerge() {
  const texts = customerTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  return async (survivor: Customer, duplicates: readonly Customer[]): Promise<void> => {
    const merged = duplicates.map(({ id }) => id);
    const body = { primary_id: survivor.id, duplicate_ids: merged };
    await unwrap(api.POST('/api/v1/customers/merge', { body }));
    notifySuccess(texts.mergeDone(survivor.name));
    await queries.invalidateQueries({
      queryKey: CUSTOMERS_KEY,
      // The dialog still shows a merged customer, who is not found any more.
      predicate: ({ queryKey }) => !merged.some((id) => queryKey.includes(id)),
    });
  };
}
