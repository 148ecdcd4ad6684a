import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useCommonTexts } from '../../../texts/texts';
import { MailAnchor, PhoneAnchor } from '../../../ui/contact-anchors';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { CustomerDialog } from './customer-dialog';
import { DeviceReportLine } from './device-report-line';
import { PreviousCalls } from './previous-calls';
import { TransferNote } from './transfer-note';
import { useCustomer } from './use-customer';

/** Who calls, why, and what was before. */
export function CustomerPanel({ call }: { call: AgentCall }) {
  const { call: labels, customer: texts } = callTexts.use();
  const common = useCommonTexts();
  const item = useSignalValue(call.call);
  const { details, data: found, isPending, error, refetch } = useCustomer(item);
  const [isEditing, setEditing] = useState(false);
  const [isOpened, setOpened] = useState(false);
  // Anybody can type the e-mail or phone of somebody else: the agent decides whether to open the record.
  const claimed = item.identity_confirmed === false ? found?.customer : undefined;
  const isHidden = claimed !== undefined && !isOpened;
  const customer = isHidden ? undefined : found?.customer;
  const email = customer?.email ?? item.customer_email;
  const phone = customer?.phone ?? item.customer_phone;
  const report = item.device_report ?? details?.device_report;
  return (
    <Stack gap="xs" data-testid="customer-card">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Title order={3} size="h5">
          {customer?.name ?? item.customer_name}
        </Title>
        {customer && (
          <Button
            variant="default"
            size="compact-sm"
            data-testid="customer-edit"
            onClick={() => setEditing(true)}
          >
            {common.edit}
          </Button>
        )}
      </Group>
      {claimed && (
        <Group gap="xs" data-testid="customer-claimed">
          <Text size="sm" fw={600}>
            {texts.claims(claimed.name)}
          </Text>
          {isHidden && (
            <Button
              variant="default"
              size="compact-sm"
              data-testid="customer-open"
              onClick={() => setOpened(true)}
            >
              {texts.showRecord}
            </Button>
          )}
        </Group>
      )}
      {details?.reason && (
        <Text size="sm">
          <strong>{labels.reason}:</strong> {details.reason}
        </Text>
      )}
      {details?.transferred_from && <TransferNote callId={call.id} />}
      {email && <MailAnchor size="sm" email={email} />}
      {phone && <PhoneAnchor size="sm" phone={phone} />}
      {customer?.document && (
        <Text size="sm">
          {texts.document}: {customer.document}
        </Text>
      )}
      {customer?.notes && (
        <Text size="sm" className="call-text">
          {customer.notes}
        </Text>
      )}
      {report && <DeviceReportLine report={report} />}
      {isPending && <Skeleton height={64} />}
      <ProblemNotice error={error} onRetry={refetch} />
      {found && !isHidden && <PreviousCalls calls={found.previous} count={found.customer.call_count - 1} />}
      {found === null && (
        <Text size="sm" c="dimmed">
          {texts.unknown}
        </Text>
      )}
      {customer && isEditing && (
        <CustomerDialog callId={call.id} customer={customer} onClose={() => setEditing(false)} />
      )}
    </Stack>
  );
}
