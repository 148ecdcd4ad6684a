import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { queueTexts } from '../texts/texts';

const MAX_LENGTH = 500;

/** Says why, for those who look at the offers later. */
export function DeclineForm({ isBusy, onDecline }: { isBusy: boolean; onDecline: (reason: string) => void }) {
  const { offer: texts } = queueTexts.use();
  const [reason, setReason] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDecline(reason.trim());
      }}
    >
      <Group align="end" gap="xs" mt="sm">
        <TextInput
          label={texts.declineReason}
          flex={1}
          maxLength={MAX_LENGTH}
          data-testid="offer-decline-reason"
          ref={input}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={isBusy} data-testid="offer-decline-submit">
          {texts.decline}
        </Button>
      </Group>
    </form>
  );
}
