import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { formatDateTime } from '../../ui/dates';
import { useAttempt } from '../../ui/use-attempt';
import { webhookTexts } from './texts/texts';
import { WEBHOOKS_KEY } from './use-webhooks';
import { stateOf, type Webhook } from './webhook-state';

/** Why nothing is sent, or will soon not be sent any more, and what can be done. Nothing for a webhook in order. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const texts = webhookTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const queries = useQueryClient();
  const attempt = useAttempt();
  const state = stateOf(webhook);
  if (state === 'active') return null;
  const since = formatDateTime(webhook.disabled_at ?? webhook.failing_since, language, zone);
  const activate = async () => {
    const params = { path: { id: webhook.id } };
    await unwrap(api.PUT('/api/v1/webhooks/{id}', { params, body: { active: true } }));
    await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY });
  };
  return (
    <Alert color={state === 'inactive' ? 'gray' : 'orange'} data-testid="webhook-notice">
      <Stack gap="xs" align="start">
        <Text size="sm">{texts.reasons[state](since)}</Text>
        {state !== 'failing' && (
          <Button
            variant="default"
            size="xs"
            onClick={() => attempt(activate)}
            data-testid="webhook-activate"
          >
            {texts.activate}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
