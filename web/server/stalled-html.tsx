import { renderToString } from 'preact-render-to-string';
import type { Language } from '../shared/texts/texts';

const TEXTS: Record<Language, { sentence: string; reload: string }> = {
  pt: { sentence: 'A página está demorando para carregar.', reload: 'Carregar de novo' },
  en: { sentence: 'The page takes long to load.', reload: 'Load it again' },
  es: { sentence: 'La página tarda en cargar.', reload: 'Volver a cargarla' },
};

/**
 * A way out that needs no script: shown by its style some seconds later, and removed when the application is rendered in
 * its place. An empty address is that of the page.
 */
export function renderStalled(language: Language): string {
  const { sentence, reload } = TEXTS[language];
  return renderToString(
    <p class="stalled" role="status">
      {sentence} <a href="">{reload}</a>
    </p>,
  );
}
