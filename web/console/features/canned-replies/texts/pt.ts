import type { CannedReplyTexts } from './en';

const pt: CannedReplyTexts = {
  title: 'Respostas prontas',
  intro:
    'Textos da sua empresa para anotações e mensagens do chat. Digite lá / e uma parte do título, do texto ou do atalho.',
  empty: 'Ainda não há respostas prontas.',
  noneFound: 'Nenhuma resposta pronta corresponde à busca.',
  searchText: 'No título, no texto e no atalho',
  name: 'Título',
  text: 'Texto',
  shortcut: 'Atalho',
  shortcutText: 'Opcional: a palavra depois da barra que acha este texto primeiro, por exemplo “fatura”.',
  create: 'Nova resposta pronta',
  edit: (title) => `Resposta pronta ${title}`,
  deleteQuestion: (title) =>
    `“${title}” será removida para todos os usuários. As anotações e mensagens em que foi inserida continuam.`,
  inBrowser: 'Só neste navegador',
  inBrowserText:
    'Seus próprios textos, de antes de a empresa poder compartilhá-los. Você também os acha com /.',
  askSupervisor: 'Um supervisor pode adicioná-los para toda a empresa.',
  import: 'Importar para a empresa',
  remove: 'Remover',
  removeOne: (title) => `Remover ${title} deste navegador`,
};

export default pt;
