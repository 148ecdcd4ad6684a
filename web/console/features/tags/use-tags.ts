import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { flatten } from './tag-tree.rules';

export const TAGS_KEY = ['tags'];

/** All tags of the company, each below its parent. */
export function useTags() {
  const api = useApi();
  return useQuery({
    queryKey: TAGS_KEY,
    queryFn: async () => flatten((await unwrap(api.GET('/api/v1/tags/tree'))).data),
  });
}
