import { itIsTranslated } from '../../shared/texts/translations.fixtures';
import en from './en';
import es from './es';
import pt from './pt';

describe.each([
  ['pt', pt],
  ['es', es],
])('%s', (_name, texts) => itIsTranslated(texts, en, ['.range.hourAndMinutes']));
