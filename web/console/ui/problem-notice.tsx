import { Alert, Button, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../texts/texts';
import { explain } from './explain';

/** What went wrong, and a way to try again. Nothing without an error. */
export function ProblemNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const texts = useCommonTexts();
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="start">
        <Text>{explain(error, texts.error)}</Text>
        {onRetry && (
          <Button variant="default" size="xs" onClick={() => void onRetry()}>
            {texts.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
