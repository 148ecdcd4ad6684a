import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type Delivery = components['schemas']['DeliveryDto'];

/** Of the list, of each webhook and of its deliveries. */
export const WEBHOOKS_KEY = ['webhooks'];

export function useWebhook(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...WEBHOOKS_KEY, id],
    queryFn: async () => (await unwrap(api.GET('/api/v1/webhooks/{id}', { params: { path: { id } } }))).data,
  });
}

export const deliveriesKey = (webhookId: string): readonly unknown[] => [
  ...WEBHOOKS_KEY,
  webhookId,
  'deliveries',
];

/** One delivery with its attempts. */
export function useDelivery(webhookId: string, deliveryId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...deliveriesKey(webhookId), deliveryId],
    queryFn: async () => {
      const path = { id: webhookId, delivery_id: deliveryId };
      return (await unwrap(api.GET('/api/v1/webhooks/{id}/deliveries/{delivery_id}', { params: { path } })))
        .data;
    },
    // The next attempt may be in flight.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2000 : false),
  });
}
