import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { ProblemNotice } from '../../../ui/problem-notice';
import { customerTexts } from '../texts/texts';
import { CUSTOMERS_KEY } from '../use-customers';
import { DuplicateGroupCard } from './duplicate-group-card';

const PAGE_SIZE = 20;

/** Groups of customers who are probably the same person, the largest first. */
export function DuplicateList() {
  const texts = customerTexts.use();
  const api = useApi();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [...CUSTOMERS_KEY, 'duplicates'],
      initialPageParam: 1,
      queryFn: ({ pageParam }) =>
        unwrap(
          api.GET('/api/v1/customers/duplicates', {
            params: { query: { page: pageParam, page_size: PAGE_SIZE } },
          }),
        ),
      getNextPageParam: ({ meta }, pages) =>
        pages.length * PAGE_SIZE < meta.total_count ? pages.length + 1 : undefined,
    });
  const groups = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Stack>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={160} />}
      {data && <Text role="status">{groups.length === 0 ? texts.noDuplicates : texts.duplicatesText}</Text>}
      {groups.map((group) => (
        <DuplicateGroupCard key={`${group.reason} ${group.value}`} group={group} />
      ))}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.moreDuplicates}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
