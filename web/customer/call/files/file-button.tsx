import { useRef } from 'preact/hooks';
import { useCallTexts } from '../../app/app-context';
import { CallIcon } from '../call-icon';
import { ACCEPTED } from './use-send-file';

interface FileButtonProps {
  isBusy: boolean;
  onFiles: (files: File[]) => void;
}

/** Chooses photos or PDFs; phones offer the camera, too. */
export function FileButton({ isBusy, onFiles }: FileButtonProps) {
  const { chat } = useCallTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        class="control control-small"
        type="button"
        aria-label={chat.attach}
        aria-disabled={isBusy ? 'true' : undefined}
        onClick={() => isBusy || input.current?.click()}
      >
        <CallIcon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        data-testid="chat-file"
        aria-label={chat.attach}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
