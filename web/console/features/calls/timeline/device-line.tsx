import { Text } from '@mantine/core';
import { timelineTexts } from './texts/texts';
import type { TimelineEntry } from './timeline.types';

type Status = 'ok' | 'refused' | 'missing';

/** The latest report of the customer's page on its device. */
export function DeviceLine({ report }: { report: TimelineEntry }) {
  const { device } = timelineTexts.use();
  const { camera, microphone, network } = report as unknown as {
    camera: Status;
    microphone: Status;
    network?: 'good' | 'fair' | 'poor' | null;
  };
  const found = [device.camera[camera], device.microphone[microphone], network && device.network[network]];
  return (
    <Text>
      {device.title} {found.filter(Boolean).join(', ')}.
    </Text>
  );
}
