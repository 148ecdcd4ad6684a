import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../shared/texts/texts';
import { attempt } from '../ui/errors';
import { language, switchLanguage, texts } from './language';

export function LanguageSelect() {
  return (
    <label class="language">
      <span class="hidden">{texts.value.language}</span>
      <select
        data-testid="language"
        value={language.value}
        onChange={(event) => attempt(() => switchLanguage(event.currentTarget.value as Language))}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
