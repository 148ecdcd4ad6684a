import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

const AT_ONCE = 6;

/**
 * The QR codes of links as URLs of images, in the order of the ids: the service wants the token for them, which an
 * image cannot send.
 */
export function useQrCodes(ids: readonly string[]) {
  const api = useApi();
  const result = useQuery({
    queryKey: ['qr-codes', ...ids],
    // A URL is worth nothing after it was revoked.
    gcTime: 0,
    staleTime: Infinity,
    queryFn: async () => {
      const urls: string[] = [];
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE).map(async (id) => {
          const params = { path: { id } };
          const svg = await unwrap(api.GET('/api/v1/access-links/{id}/qr.svg', { params, parseAs: 'blob' }));
          return URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
        });
        urls.push(...(await Promise.all(some)));
      }
      return urls;
    },
  });
  const { data } = result;
  useEffect(() => () => data?.forEach((url) => URL.revokeObjectURL(url)), [data]);
  return result;
}
