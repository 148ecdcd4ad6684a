import { useApp, useCallTexts } from '../app/app-context';
import { CalledScreen } from '../screens/line/called-screen';
import type { StateOf } from '../state/state.types';
import type { CallRuntime } from './call-runtime';
import { PermissionHelp } from './permission/permission-help';
import { ReadyCard } from './ready-card';
import { Video } from './video';

/** The agent is coming: the customer says when the camera may start, and gets help if the browser allows none. */
export function CalledView({ state, runtime }: { state: StateOf<'called'>; runtime: CallRuntime }) {
  const { isTextOnly } = useApp();
  const { check } = useCallTexts();
  const { preview } = runtime.media.view.value;
  return (
    <CalledScreen call={state.call}>
      {preview && <Video stream={preview} label={check.preview} isMirrored className="preview" />}
      {!isTextOnly.value &&
        (runtime.isReady.value ? <PermissionHelp media={runtime.media} /> : <ReadyCard runtime={runtime} />)}
    </CalledScreen>
  );
}
