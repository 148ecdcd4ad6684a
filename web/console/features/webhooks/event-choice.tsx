import { Checkbox, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  EVENT_GROUPS,
  GROUP_NAMES,
  groupState,
  setGroup,
  type EventGroup,
  type WebhookEvent,
} from './event-groups';
import { webhookTexts } from './texts/texts';

interface EventChoiceProps {
  value?: WebhookEvent[];
  onChange?: (events: WebhookEvent[]) => void;
  error?: ReactNode;
  /** Where the form finds it when the service refuses the choice. */
  'data-path'?: string;
}

/** The events that are sent, chosen one by one or by group. */
export function EventChoice({ value = [], onChange, error, 'data-path': path }: EventChoiceProps) {
  const texts = webhookTexts.use();
  const change = (events: WebhookEvent[]) => onChange?.(events);
  return (
    <Fieldset legend={texts.events} data-path={path} tabIndex={-1}>
      <Stack gap="md">
        {error && (
          <Text c="red" size="sm" role="alert" data-testid="events-error">
            {error}
          </Text>
        )}
        {GROUP_NAMES.map((group) => (
          <Group key={group} group={group} value={value} onChange={change} />
        ))}
      </Stack>
    </Fieldset>
  );
}

interface GroupProps {
  group: EventGroup;
  value: readonly WebhookEvent[];
  onChange: (events: WebhookEvent[]) => void;
}

function Group({ group, value, onChange }: GroupProps) {
  const texts = webhookTexts.use();
  const state = groupState(value, group);
  return (
    <Stack gap="xs" role="group" aria-label={texts.groups[group]}>
      <Checkbox
        label={texts.groups[group]}
        fw={600}
        checked={state === 'all'}
        indeterminate={state === 'some'}
        onChange={() => onChange(setGroup(value, group, state !== 'all'))}
        data-testid={`events-${group}`}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6} pl="lg">
        {EVENT_GROUPS[group].map((event) => (
          <Checkbox
            key={event}
            size="xs"
            label={texts.eventNames[event]}
            description={event}
            checked={value.includes(event)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...value, event] : value.filter((chosen) => chosen !== event))
            }
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
