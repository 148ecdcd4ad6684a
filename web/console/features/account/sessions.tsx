import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { fetchAll } from '../../state/fetch-all';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { ConfirmButton } from '../../ui/confirm-button';
import { formatDateTime } from '../../ui/dates';
import { FormGroup } from '../../ui/form/form-group';
import { notifySuccess } from '../../ui/form/page-form';
import { ProblemNotice } from '../../ui/problem-notice';
import { deviceName } from './device-name';
import { accountTexts } from './texts/texts';

type Session = components['schemas']['SessionDto'];

const SESSIONS_KEY = ['users', 'me', 'sessions'];

/** Where the user is logged in. Other logins can be ended, this one by logging out. */
export function Sessions() {
  const texts = accountTexts.use();
  const api = useApi();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: () =>
      fetchAll<Session>((query) => unwrap(api.GET('/api/v1/users/me/sessions', { params: { query } }))),
  });
  return (
    <FormGroup title={texts.sessions} text={texts.sessionsText}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={80} />}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </FormGroup>
  );
}

function SessionRow({ session }: { session: Session }) {
  const texts = accountTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const language = useLanguage();
  const zone = useZone()?.name;
  const device = deviceName(session.user_agent) ?? texts.unknownDevice;
  const end = async () => {
    await unwrap(api.DELETE('/api/v1/users/me/sessions/{id}', { params: { path: { id: session.id } } }));
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
    notifySuccess(texts.sessionEnded(device));
  };
  return (
    <Group component="li" justify="space-between" data-testid="session">
      <div>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {session.current && <Badge variant="light">{texts.thisOne}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {texts.sessionFacts(
            formatDateTime(session.inserted_at, language, zone),
            formatDateTime(session.last_used_at, language, zone),
            session.address ?? texts.unknownAddress,
          )}
        </Text>
      </div>
      {!session.current && (
        <ConfirmButton
          label={texts.endSession}
          question={texts.endQuestion(device)}
          action={end}
          size="xs"
          data-testid="end-session"
        />
      )}
    </Group>
  );
}
