import { Badge } from '@mantine/core';
import { webhookTexts } from './texts/texts';
import { STATE_COLORS, stateOf, type Webhook } from './webhook-state';

export function StateBadge({ webhook }: { webhook: Webhook }) {
  const texts = webhookTexts.use();
  const state = stateOf(webhook);
  return (
    <Badge color={STATE_COLORS[state]} variant="dot" tt="none" data-testid="webhook-state">
      {texts.states[state]}
    </Badge>
  );
}
