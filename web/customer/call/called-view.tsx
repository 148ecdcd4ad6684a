import { useApp, useCallTexts } from '../app/app-context';
import { CalledScreen } from '../screens/line/called-screen';
import type { StateOf } from '../state/state.types';
import type { CallRuntime } from './call-runtime';
import { PermissionHelp } from './permission/permission-help';
import { Video } from './video';

/** The agent is coming: the own picture, and help if the browser allows none. */
export function CalledView({ state, runtime }: { state: StateOf<'called'>; runtime: CallRuntime }) {
  const { isTextOnly } = useApp();
  const { check } = useCallTexts();
  const { preview } = runtime.media.view.value;
  return (
    <CalledScreen agent={state.call.agent}>
      {preview && <Video stream={preview} label={check.preview} isMirrored className="preview" />}
      {!isTextOnly.value && <PermissionHelp media={runtime.media} />}
    </CalledScreen>
  );
}
