import { itIsTranslated } from '../../shared/texts/translations.fixtures';
import en from './en';
import callEn from './en/call';
import es from './es';
import callEs from './es/call';
import pt from './pt';
import callPt from './pt/call';

describe.each([
  ['pt', pt],
  ['es', es],
])('%s', (_name, texts) => itIsTranslated(texts, en, ['.range.hourAndMinutes']));

describe.each([
  ['pt', callPt],
  ['es', callEs],
])('%s of the call', (_name, texts) => itIsTranslated(texts, callEn));
