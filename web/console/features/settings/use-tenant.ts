import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type Tenant = components['schemas']['TenantDto'];

export const TENANT_KEY = ['tenant'];

/** The settings of the company. Only managers may read them. */
export function useTenant() {
  const api = useApi();
  return useQuery({
    queryKey: TENANT_KEY,
    queryFn: async () => (await unwrap(api.GET('/api/v1/tenant'))).data,
  });
}
