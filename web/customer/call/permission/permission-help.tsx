import { useApp, useCallTexts, useTexts } from '../../app/app-context';
import { browserKind, inAppBrowser } from '../../device/browser';
import type { CallTexts } from '../../texts/call-texts';
import type { CallMedia } from '../call-media';
import { PermissionPicture } from './permission-picture';
import { type PermissionCase, permissionCase } from './permission.rules';

interface PermissionHelpProps {
  media: CallMedia;
  /** The customer goes on without sound. */
  onTextOnly?: () => void;
}

/** Why the other side cannot see or hear the customer, and what to do about it. */
export function PermissionHelp({ media, onTextOnly }: PermissionHelpProps) {
  const { permission } = useCallTexts();
  const { unsupported } = useTexts();
  const { isTextOnly } = useApp();
  const { status, microphoneOn } = media.view.value;
  const problem = permissionCase(status);
  if (!problem || media.isAccepted.value || isTextOnly.value) return null;
  const { userAgent, maxTouchPoints } = navigator;
  const app = inAppBrowser(userAgent);
  const retry = () => void media.open({ audio: true, video: true });
  const goOnLabel = microphoneOn ? permission.audioOnly : permission.textOnly;
  const goOn = (event: Event) => {
    // This card, and the focus in it, will be gone.
    if (event.currentTarget instanceof Element) {
      event.currentTarget.closest('main')?.querySelector('h1')?.focus();
    }
    media.isAccepted.value = true;
    if (!microphoneOn) onTextOnly?.();
  };
  const steps = app === null ? permission[browserKind(userAgent, maxTouchPoints)] : unsupported.menuSteps;
  return (
    <section class="permission card" data-testid="permission" data-state={problem.state} role="status">
      <h2>{titleOf(problem, permission)}</h2>
      {problem.state === 'refused' && (
        <>
          {app === null && <PermissionPicture kind={browserKind(userAgent, maxTouchPoints)} />}
          <p>{app === null ? permission.steps : unsupported.inAppText}</p>
          <ol class="steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
      <div class="button-row">
        <button class="button button-primary" type="button" data-testid="permission-retry" onClick={retry}>
          {permission.retry}
        </button>
        <button class="button" type="button" data-testid="permission-go-on" onClick={goOn}>
          {problem.device === 'camera' || !microphoneOn ? goOnLabel : permission.hide}
        </button>
      </div>
    </section>
  );
}

/** What is the matter, in one sentence. */
export function titleOf({ state, device }: PermissionCase, texts: CallTexts['permission']): string {
  if (state === 'prompt') return texts.prompt;
  if (state === 'in_use') return texts.inUse;
  if (state === 'missing') {
    return { both: texts.missing, microphone: texts.missingMicrophone, camera: texts.missingCamera }[device];
  }
  return { both: texts.title, microphone: texts.titleMicrophone, camera: texts.titleCamera }[device];
}
