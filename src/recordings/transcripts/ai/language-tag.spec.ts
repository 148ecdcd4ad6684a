import { languageName, languageTag } from './language-tag';

describe('languageTag', () => {
  it.each([
    ['portuguese', 'pt'],
    ['English', 'en'],
    ['german', 'de'],
    ['chinese', 'zh'],
    ['haitian creole', 'ht'],
    ['hebrew', 'he'],
    ['pt', 'pt'],
    ['pt-br', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['PT', 'pt'],
    ['iw', 'he'],
    ['yue', 'yue'],
    ['zh-hans', 'zh-Hans'],
    ['klingonian', 'und'],
    ['x', 'und'],
    ['pt-', 'und'],
    ['<b>pt</b>', 'und'],
    ['', 'und'],
    [null, 'und'],
    [7, 'und'],
    [undefined, 'und'],
    [['pt'], 'und'],
  ])('of %j is %s', (language, tag) => {
    expect(languageTag(language)).toBe(tag);
  });
});

/** All names of Whisper, with its codes. */
const WHISPER_NAMES = `
  english=en chinese=zh german=de spanish=es russian=ru korean=ko french=fr japanese=ja portuguese=pt
  turkish=tr polish=pl catalan=ca dutch=nl arabic=ar swedish=sv italian=it indonesian=id hindi=hi
  finnish=fi vietnamese=vi hebrew=he ukrainian=uk greek=el malay=ms czech=cs romanian=ro danish=da
  hungarian=hu tamil=ta norwegian=no thai=th urdu=ur croatian=hr bulgarian=bg lithuanian=lt latin=la
  maori=mi malayalam=ml welsh=cy slovak=sk telugu=te persian=fa latvian=lv bengali=bn serbian=sr
  azerbaijani=az slovenian=sl kannada=kn estonian=et macedonian=mk breton=br basque=eu icelandic=is
  armenian=hy nepali=ne mongolian=mn bosnian=bs kazakh=kk albanian=sq swahili=sw galician=gl
  marathi=mr punjabi=pa sinhala=si khmer=km shona=sn yoruba=yo somali=so afrikaans=af occitan=oc
  georgian=ka belarusian=be tajik=tg sindhi=sd gujarati=gu amharic=am yiddish=yi lao=lo uzbek=uz
  faroese=fo haitian_creole=ht pashto=ps turkmen=tk nynorsk=nn maltese=mt sanskrit=sa luxembourgish=lb
  myanmar=my tibetan=bo tagalog=tl malagasy=mg assamese=as tatar=tt hawaiian=haw lingala=ln hausa=ha
  bashkir=ba javanese=jw sundanese=su cantonese=yue burmese=my valencian=ca flemish=nl haitian=ht
  letzeburgesch=lb pushto=ps panjabi=pa moldavian=ro moldovan=ro sinhalese=si castilian=es mandarin=zh`;

it('languageTag knows the languages of Whisper', () => {
  for (const [name = '', code = ''] of WHISPER_NAMES.trim()
    .split(/\s+/)
    .map((pair) => pair.split('='))) {
    expect([name, languageTag(name.replace('_', ' '))]).toEqual([name, languageTag(code)]);
    expect(languageTag(code)).not.toBe('und');
  }
});

describe('languageName', () => {
  it.each([
    ['pt-BR', 'Brazilian Portuguese'],
    ['en', 'English'],
    ['not a tag', 'not a tag'],
  ])('of %s is %s', (tag, name) => {
    expect(languageName(tag)).toBe(name);
  });
});
