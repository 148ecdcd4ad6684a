import type { components } from '../../../../shared/api/client';
import type { CallsTexts } from '../texts/en';

type Report = components['schemas']['DeviceReportDto'];

/** @returns for example "Camera works, Microphone works, Good network" */
export function deviceText(
  { camera, microphone, network, relay }: Report,
  texts: CallsTexts['devices'],
): string {
  return [
    texts.camera[camera],
    texts.microphone[microphone],
    network && texts.network[network],
    relay === true && texts.relay,
    relay === false && texts.noRelay,
  ]
    .filter(Boolean)
    .join(', ');
}
