import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '../../shared/api/client';
import { useCommonTexts } from '../texts/texts';
import { explain } from './explain';

/** What went wrong, and a way to try again unless that is useless. Nothing without an error. */
export function ProblemNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const texts = useCommonTexts();
  if (!error) return null;
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="start">
        <Text>{explain(error, texts.error)}</Text>
        {onRetry && !isGone && (
          <Button variant="default" size="xs" onClick={() => void onRetry()}>
            {texts.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
