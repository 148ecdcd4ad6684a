import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { useCommonTexts } from '../../../texts/texts';
import { formatDateTime } from '../../../ui/dates';
import { formatDuration } from '../../../ui/duration';
import { CallStatusBadge } from '../call-status';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import { QualityFigures } from '../timeline/quality-line';
import type { Call } from '../use-call';
import { deviceText } from './device-text';
import { SkillNames } from './skill-names';
import { WaitText } from './wait-text';

/** Who called whom, when and how it went. */
export function CallFacts({ call }: { call: Call }) {
  const texts = callsTexts.use();
  const { yes } = useCommonTexts();
  const { facts, columns } = texts;
  const language = useLanguage();
  const zone = useZone()?.name;
  const contact = [call.customer_email, call.customer_phone].filter(Boolean).join(' · ');
  const { duration, end_reason, callback, overflowed_at, device_report, quality } = call;
  const rows: [string, ReactNode][] = [
    [columns.status, <CallStatusBadge key="status" call={call} />],
    [columns.customer, <CustomerName key="customer" call={call} />],
    [facts.contact, contact],
    [facts.reason, call.reason],
    [columns.department, call.department_name],
    [columns.agent, call.user_name ?? texts.noAgent],
    [columns.joined, formatDateTime(call.inserted_at, language, zone)],
    [facts.wait, <WaitText key="wait" call={call} />],
    [facts.started, formatDateTime(call.started_at, language, zone)],
    [facts.ended, formatDateTime(call.completed_at, language, zone)],
    [facts.duration, duration === null ? null : formatDuration(duration * 1000)],
    // Calls that are cancelled have the reason of those that are abandoned.
    [facts.ending, end_reason && texts.endings[call.status === 'cancelled' ? 'cancelled' : end_reason]],
    [facts.callback, callback && texts.callbacks[callback.status]],
    [facts.priority, call.priority || null],
    [facts.skills, call.skills.length > 0 && <SkillNames key="skills" skills={call.skills} />],
    [facts.overflow, formatDateTime(overflowed_at, language, zone)],
    [facts.unanswered, call.unanswered_count || null],
    [facts.chat, call.chat_message_count > 0 && facts.messages(call.chat_message_count)],
    [facts.device, device_report && deviceText(device_report, texts.devices)],
    [
      facts.qualityOfCustomer,
      quality?.customer && <Quality key="quality-customer" report={quality.customer} />,
    ],
    [facts.qualityOfAgent, quality?.agent && <Quality key="quality-agent" report={quality.agent} />],
    [columns.recording, call.has_recording && yes],
  ];
  return (
    <Section title={facts.title} testId="call-facts">
      <Table variant="vertical">
        <Table.Tbody>
          {rows
            .filter(([, value]) => Boolean(value))
            .map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" w="38%">
                  {label}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/** Its texts are those of the timeline: the other facts do not wait for them. */
const Quality = (props: ComponentProps<typeof QualityFigures>) => (
  <Suspense>
    <QualityFigures {...props} />
  </Suspense>
);

/** With a link to what is known of the customer, who may only say to be that one. */
function CustomerName({ call: { customer_id, customer_name, identity_confirmed } }: { call: Call }) {
  const { facts } = callsTexts.use();
  if (customer_id === null) return customer_name;
  const isClaimed = identity_confirmed === false;
  // In a text a link must differ by more than its colour.
  return (
    <>
      <Anchor
        component={Link}
        to={`/customers/${customer_id}`}
        inherit
        underline={isClaimed ? 'always' : undefined}
      >
        {customer_name}
      </Anchor>
      {isClaimed && ` (${facts.notConfirmed})`}
    </>
  );
}
