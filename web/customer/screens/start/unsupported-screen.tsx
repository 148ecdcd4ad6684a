import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { intentUrl, type Lack } from '../../device/browser';
import { Screen } from '../../ui/screen';

/** This browser cannot make video calls: how to open the page in one that can. */
export function UnsupportedScreen({ lack }: { lack: Lack }) {
  const services = useApp();
  const { unsupported } = useTexts();
  const isInApp = lack.kind === 'in_app';
  const title = isInApp ? unsupported.inAppTitle(lack.app || unsupported.app) : unsupported.oldTitle;
  const reason = lack.kind === 'insecure' ? unsupported.insecureText : unsupported.oldText;
  const goOn = () => {
    services.isTextOnly.value = true;
    services.lack.value = null;
    services.entry.start();
  };
  return (
    <Screen
      name="unsupported"
      icon="cameraOff"
      title={title}
      lead={isInApp ? unsupported.inAppText : reason}
      titleTestId="error-title"
    >
      {isInApp && (
        <ol class="steps">
          {unsupported.menuSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {isInApp && /Android/.test(navigator.userAgent) && (
        <a class="button button-primary" href={intentUrl(location.href)}>
          {unsupported.openBrowser}
        </a>
      )}
      <CopyLink />
      <button class="button-link" type="button" onClick={goOn}>
        {unsupported.anyway}
      </button>
    </Screen>
  );
}

function CopyLink() {
  const { unsupported } = useTexts();
  const [result, setResult] = useState<'copied' | 'copyFailed' | null>(null);
  const copy = () =>
    navigator.clipboard
      ? navigator.clipboard.writeText(location.href).then(
          () => setResult('copied'),
          () => setResult('copyFailed'),
        )
      : setResult('copyFailed');
  return (
    <>
      <a class="address" href={location.href}>
        {location.href}
      </a>
      <button class="button" type="button" onClick={() => void copy()}>
        {unsupported.copy}
      </button>
      <p role="status">{result && unsupported[result]}</p>
    </>
  );
}
