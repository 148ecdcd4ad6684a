import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { shownZone } from '../../../../shared/zones';
import { useApi } from '../../../state/console-context';
import { DEPARTMENTS_KEY, type Department } from '../../../state/use-departments';
import { useLanguage } from '../../../texts/language';
import { formatRangeAs, formatTimeAs } from '../../../ui/dates';
import { FormGroup } from '../../../ui/form/form-group';
import { ProblemNotice } from '../../../ui/problem-notice';
import { departmentTexts } from '../texts/texts';
import { openDays } from './open-days';

/** The open periods of the coming days, as the service knows them: with what was saved, not what is being typed. */
export function HoursPreview({ department: { id, opening_hours } }: { department: Department }) {
  const texts = departmentTexts.use().hours;
  const api = useApi();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [...DEPARTMENTS_KEY, id, 'hours'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/departments/{id}/hours', { params: { path: { id } } }))).data,
  });
  return (
    <FormGroup title={texts.preview} text={data && texts.previewText(shownZone(data.timezone))}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={160} />}
      {data && opening_hours === null && <Text>{texts.always}</Text>}
      {data && opening_hours !== null && (
        <Stack gap="xs" data-testid="hours-preview">
          {data.intervals.length === 0 && <Text>{texts.neverOpen}</Text>}
          <OpenDays {...data} />
        </Stack>
      )}
    </FormGroup>
  );
}

function OpenDays({
  timezone,
  intervals,
}: {
  timezone: string;
  intervals: { opens_at: string; closes_at: string }[];
}) {
  const language = useLanguage();
  return openDays(intervals, timezone).map(({ date, periods }) => (
    <div key={date}>
      <Text size="sm" fw={600}>
        {periods[0] && formatTimeAs('weekday', periods[0].opens_at, language, timezone)}
      </Text>
      {periods.map(({ opens_at, closes_at }) => (
        <Text size="sm" key={opens_at}>
          {formatRangeAs('clock', [opens_at, closes_at], language, timezone)}
        </Text>
      ))}
    </div>
  ));
}
