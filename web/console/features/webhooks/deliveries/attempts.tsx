import { Code, Stack, Text, Title } from '@mantine/core';
import type { components } from '../../../../shared/api/client';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDate, formatTime } from '../../../ui/dates';
import { webhookTexts } from '../texts/texts';

type Attempt = components['schemas']['AttemptDto'];

/** The attempts of a delivery, the oldest first. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = webhookTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  return (
    <>
      <Title order={3} size="h5">
        {texts.attempts}
      </Title>
      {attempts.length === 0 && <Text>{texts.noAttempts}</Text>}
      {attempts.map((attempt) => (
        <Stack key={attempt.number} gap={4} data-testid="attempt">
          <Text size="sm">
            {attempt.number}. {formatDate(attempt.inserted_at, language, zone)}{' '}
            {formatTime(attempt.inserted_at, language, zone)}:{' '}
            <Text span fw={600}>
              {resultOf(attempt) ?? texts.underWay}
            </Text>
            {attempt.duration_ms !== null && ` (${attempt.duration_ms} ms)`}
          </Text>
          {attempt.response_body && (
            <Code block tabIndex={0} aria-label={texts.response}>
              {attempt.response_body}
            </Code>
          )}
        </Stack>
      ))}
    </>
  );
}

/** @returns null while there is no answer yet */
const resultOf = ({ response_status, error }: Attempt): string | null =>
  response_status === null ? error : `HTTP ${response_status}`;
