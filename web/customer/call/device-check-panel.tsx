import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkDevices } from '../../shared/device-check';
import type { DeviceReport } from '../../shared/socket-models';
import { useApp, useCallTexts } from '../app/app-context';
import { callOf } from '../state/call-facts';
import { callMedia } from './call-media';
import { DeviceResult } from './device-result';
import { LevelBar } from './level-bar';
import { PermissionHelp } from './permission/permission-help';
import { Video } from './video';
import { onEscape } from '../ui/on-escape';
import './call.css';

/** The check: the own picture, the volume, and a connection through the relay. The result goes to the agent, too. */
export function DeviceCheckPanel({ onClose }: { onClose: () => void }) {
  const { api, live, store, history } = useApp();
  const { check } = useCallTexts();
  const [report, setReport] = useState<DeviceReport | null>(null);
  const [round, setRound] = useState(0);
  const { status, preview } = callMedia.view.value;
  const { audio } = callMedia.local.tracks;
  useEffect(() => {
    const abort = new AbortController();
    const run = async () => {
      setReport(null);
      await callMedia.open({ audio: true, video: true });
      const callId = callOf(store.state.peek())?.id ?? '';
      const result = await checkDevices({
        media: callMedia.local,
        iceServers: () => api.iceServers(),
        signal: abort.signal,
        measured: history.networkOf(callId),
      });
      if (!result || abort.signal.aborted) return;
      if (result.relay !== null) history.keepNetwork(callId, result);
      setReport(result);
      await live.socket?.emit('device_report', result).catch(() => undefined);
    };
    void run();
    return () => abort.abort();
  }, [round]);
  const panel = useRef<HTMLDivElement>(null);
  // The button that began the check, and had the focus, is gone.
  useLayoutEffect(() => panel.current?.focus(), []);
  // Also when the agent comes: the call uses the devices only when the customer says that they may start.
  useEffect(() => () => callMedia.stop(), []);
  return (
    <div
      class="check"
      data-testid="device-check-panel"
      ref={panel}
      tabIndex={-1}
      onKeyDown={onEscape(onClose)}
    >
      {preview && <Video stream={preview} label={check.preview} isMirrored className="preview" />}
      {audio && (
        <>
          <p>{check.say}</p>
          <LevelBar track={audio} label={check.level} />
        </>
      )}
      <DeviceResult status={status} report={report} />
      <PermissionHelp media={callMedia} />
      <div class="button-row">
        <button class="button" type="button" onClick={onClose}>
          {check.stop}
        </button>
        {report && (
          <button class="button button-quiet" type="button" onClick={() => setRound(round + 1)}>
            {check.again}
          </button>
        )}
      </div>
    </div>
  );
}
