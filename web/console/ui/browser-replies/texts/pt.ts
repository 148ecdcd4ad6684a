import { plural } from '../../../../shared/texts/plural';
import type { BrowserReplyTexts } from './en';

const pt: BrowserReplyTexts = {
  title: 'Textos neste navegador',
  question: (n) =>
    plural(
      n,
      'Um dos seus textos para anotações está só neste navegador. Todos os usuários da sua empresa devem tê-lo?',
      `${n} dos seus textos para anotações estão só neste navegador. Todos os usuários da sua empresa devem tê-los?`,
    ),
  import: 'Importar para a empresa',
  keep: 'Manter aqui',
  refused: (replies) => `Estes textos não foram importados: ${replies}`,
};

export default pt;
