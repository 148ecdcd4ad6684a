import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../shared/texts/texts';
import { useApp, useTexts } from './app-context';

/** The company and the choice of language: the same on all screens. */
export function Masthead() {
  const { page, store, language, chooseLanguage } = useApp();
  const texts = useTexts();
  return (
    <header class="masthead">
      {page.company?.logo_url && <img class="masthead-logo" src={page.company.logo_url} alt="" />}
      <p class="masthead-company">{page.company?.name ?? store.link.value?.company_name}</p>
      <label class="language">
        <span class="visually-hidden">{texts.language}</span>
        <select
          data-testid="language"
          autocomplete="off"
          value={language.value}
          onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
        >
          {LANGUAGES.map((name) => (
            <option key={name} value={name} lang={name}>
              {LANGUAGE_NAMES[name]}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}
