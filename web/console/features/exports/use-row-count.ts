import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import type { ExportKind, FilterName } from './export-kinds';

/** How many rows an export will have: the list with the same filters tells it. */
export function useRowCount(kind: ExportKind, filters: Partial<Record<FilterName, string>>) {
  const api = useApi();
  return useQuery({
    queryKey: ['exports', kind, filters],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      // The filters of the kind; the service checks them.
      const params = { query: { ...filters, page_size: 1 } as object };
      switch (kind) {
        case 'calls':
          return (await unwrap(api.GET('/api/v1/calls', { params }))).meta.total_count;
        case 'customers':
          return (await unwrap(api.GET('/api/v1/customers', { params }))).meta.total_count;
        case 'links':
          return (await unwrap(api.GET('/api/v1/access-links', { params }))).meta.total_count;
      }
    },
  });
}
