import { renderToString } from 'preact-render-to-string';
import type { PageData } from '../shared/page-data';
import { defaultLabel, stateText } from '../widget/button-text';

/** The content of the framed button. `widget/button.ts` changes its texts. */
export function renderButton({ language, link }: Pick<PageData, 'language' | 'link'>): string {
  return renderToString(
    <button class="call-button" type="button">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2zm14 5 4-3v8l-4-3z" />
      </svg>
      <span>
        <span class="call-button-label">{defaultLabel(language)}</span>
        <span class="call-button-state">{link ? stateText(link, language) : ''}</span>
      </span>
    </button>,
  );
}
