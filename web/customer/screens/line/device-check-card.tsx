import { lazyChunk } from '../../app/lazy-chunk';
import { useApp, useTexts } from '../../app/app-context';
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../ui/icon';
import { useFocusReturn } from '../../ui/use-focus-return';

const DeviceCheck = lazyChunk(async ({ loadCallTexts }) => {
  const [{ DeviceCheckPanel }] = await Promise.all([
    import('../../call/device-check-panel'),
    loadCallTexts(),
  ]);
  return DeviceCheckPanel;
});

/** Offers to try camera and microphone. Nothing is asked for before the customer wants it. */
export function DeviceCheckCard() {
  const { lack, isTextOnly } = useApp();
  const { deviceCheck } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const card = useRef<HTMLElement>(null);
  useFocusReturn(isOpen, card, 'button');
  if (lack.value || isTextOnly.value) return null;
  return (
    <section class="card" ref={card} aria-labelledby="check-title">
      <h2 id="check-title">{deviceCheck.title}</h2>
      {isOpen ? (
        <DeviceCheck onClose={() => setOpen(false)} />
      ) : (
        <>
          <p>{deviceCheck.text}</p>
          <button class="button" type="button" data-testid="device-check" onClick={() => setOpen(true)}>
            <Icon name="camera" /> {deviceCheck.start}
          </button>
        </>
      )}
    </section>
  );
}
