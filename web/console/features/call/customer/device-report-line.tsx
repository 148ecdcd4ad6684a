import { Text } from '@mantine/core';
import type { DeviceReport } from '../../../../shared/socket';
import { callTexts } from '../texts/texts';

/** What the customer's device check found. */
export function DeviceReportLine({ report }: { report: DeviceReport }) {
  const { call: labels, customer: texts, quality } = callTexts.use();
  const { camera, microphone, network } = report;
  const parts = [
    `${labels.camera}: ${texts.device[camera]}`,
    `${labels.microphone}: ${texts.device[microphone]}`,
    ...(network ? [`${texts.network}: ${quality[network]}`] : []),
  ];
  return (
    <Text size="sm" data-testid="device-report">
      <strong>{texts.deviceReport}</strong> {parts.join(' · ')}
    </Text>
  );
}
