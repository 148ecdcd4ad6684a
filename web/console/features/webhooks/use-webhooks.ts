import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
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

const REFRESH_MS = 3_000;

/** Reads a webhook and its deliveries every few seconds: events happen, and attempts are made, while the page is open. */
export function useFreshDeliveries(webhookId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void queries.invalidateQueries({ queryKey: [...WEBHOOKS_KEY, webhookId] });
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [queries, webhookId]);
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
