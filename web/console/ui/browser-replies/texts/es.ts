import { plural } from '../../../../shared/texts/plural';
import type { BrowserReplyTexts } from './en';

const es: BrowserReplyTexts = {
  title: 'Textos en este navegador',
  question: (n) =>
    plural(
      n,
      'Uno de sus textos para notas está solo en este navegador. ¿Deben tenerlo todos los usuarios de su empresa?',
      `${n} de sus textos para notas están solo en este navegador. ¿Deben tenerlos todos los usuarios de su empresa?`,
    ),
  import: 'Importar para la empresa',
  keep: 'Conservarlos aquí',
  refused: (replies) => `Estos textos no se han importado: ${replies}`,
};

export default es;
