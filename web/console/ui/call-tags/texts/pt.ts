import type { CallTagsTexts } from './en';

const pt: CallTagsTexts = {
  title: 'Etiquetas',
  add: 'Adicionar etiqueta',
  nothing: 'Nenhuma etiqueta assim',
  remove: (name) => `Remover a etiqueta ${name}`,
};

export default pt;
