import type { TagTexts } from './en';

const pt: TagTexts = {
  title: 'Etiquetas',
  empty: 'Ainda não há etiquetas. Com elas as chamadas são classificadas por assunto.',
  name: 'Nome',
  color: 'Cor',
  parent: 'Abaixo de',
  noParent: 'Nenhuma outra etiqueta',
  create: 'Nova etiqueta',
  edit: (name) => `Etiqueta ${name}`,
  deleteQuestion: (name) =>
    `A etiqueta ${name} será removida de todas as chamadas. As etiquetas abaixo dela ficam. Isso não pode ser desfeito.`,
};

export default pt;
