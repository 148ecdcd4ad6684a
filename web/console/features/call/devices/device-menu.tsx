import { NativeSelect, Popover, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { canChooseSpeaker } from '../../../../shared/call/speaker';
import type { AgentCall } from '../../../state/agent-call';
import { applyBlur, canBlur, keepBlur, wantsBlur } from '../../../state/devices/background-blur';
import { devicePreferences } from '../../../state/devices/device-preferences';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../../ui/use-attempt';
import { useSignalValue } from '../../../ui/use-signal-value';
import { ControlButton } from '../controls/control-button';
import { callTexts } from '../texts/texts';
import { useDevices } from './use-devices';

/** Which camera, microphone and speaker are used. This browser remembers it for the next calls. */
export function DeviceMenu({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const attempt = useAttempt();
  const { media, session } = call;
  const { microphones, cameras, speakers } = useDevices(media);
  const [speaker, setSpeaker] = useState(() => devicePreferences.read().speaker ?? '');
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  useShortcut({ keys: 'o', label: labels.devices, action: toggle, onlyOpens: true });
  useSignalValue(call.mediaChanges);
  const choose = (kind: 'audio' | 'camera', deviceId: string) =>
    attempt(async () => {
      if ((await media.chooseDevice(kind, deviceId)) === 'ok') devicePreferences.keep(kind, deviceId);
    });
  const chooseSpeaker = (deviceId: string) =>
    attempt(async () => {
      await session.setSpeaker(deviceId);
      devicePreferences.keep('speaker', deviceId);
      setSpeaker(deviceId);
    });
  const { audio, camera } = media.tracks;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" width={300} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ControlButtonTarget label={labels.devices} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <DeviceSelect
            label={labels.microphone}
            devices={microphones}
            current={audio?.getSettings().deviceId}
            onChoose={(id) => choose('audio', id)}
          />
          <DeviceSelect
            label={labels.camera}
            devices={cameras}
            current={camera?.getSettings().deviceId}
            onChoose={(id) => choose('camera', id)}
          />
          {canChooseSpeaker() && (
            <DeviceSelect
              label={labels.speaker}
              devices={speakers}
              current={speaker}
              onChoose={chooseSpeaker}
            />
          )}
          <BlurSwitch camera={camera} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface TargetProps extends React.ComponentProps<'button'> {
  label: string;
}

/** Passes on what the popover adds to its button. */
function ControlButtonTarget({ label, ...button }: TargetProps) {
  return <ControlButton icon="devices" label={label} keys="o" testId="devices" {...(button as object)} />;
}

interface DeviceSelectProps {
  label: string;
  devices: readonly MediaDeviceInfo[];
  /** Undefined if the browser chooses. */
  current: string | undefined;
  onChoose: (deviceId: string) => void;
}

function DeviceSelect({ label, devices, current, onChoose }: DeviceSelectProps) {
  const { call: labels } = callTexts.use();
  const data = devices.map((device, position) => ({
    value: device.deviceId,
    label: device.label || labels.deviceNumber(position + 1),
  }));
  return (
    <NativeSelect
      label={label}
      data={data.length > 0 ? data : [labels.noDevice]}
      disabled={data.length < 2}
      value={current}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}

/** Only where the browser can blur the picture of this camera. */
function BlurSwitch({ camera }: { camera: MediaStreamTrack | null }) {
  const { call: labels } = callTexts.use();
  const isOn = useSignalValue(wantsBlur);
  if (!canBlur(camera)) return null;
  return (
    <Switch
      label={labels.blur}
      checked={isOn}
      onChange={(event) => {
        keepBlur(event.currentTarget.checked);
        void applyBlur(camera);
      }}
    />
  );
}
