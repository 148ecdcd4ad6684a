import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

const AT_ONCE = 6;

/**
 * The QR codes of links as URLs of images, in the order of the ids: the service wants the token for them, which an
 * image cannot send.
 */
export function useQrCodes(ids: readonly string[]) {
  const api = useApi();
  const [urls, setUrls] = useState<string[] | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['qr-codes', ...ids],
    staleTime: Infinity,
    queryFn: async () => {
      const images: Blob[] = [];
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const some = ids.slice(from, from + AT_ONCE).map(async (id) => {
          const params = { path: { id } };
          const svg = await unwrap(api.GET('/api/v1/access-links/{id}/qr.svg', { params, parseAs: 'blob' }));
          return new Blob([svg], { type: 'image/svg+xml' });
        });
        images.push(...(await Promise.all(some)));
      }
      return images;
    },
  });
  useEffect(() => {
    const made = data?.map((image) => URL.createObjectURL(image)) ?? null;
    setUrls(made);
    return () => made?.forEach((url) => URL.revokeObjectURL(url));
  }, [data]);
  return { urls, error, refetch };
}
