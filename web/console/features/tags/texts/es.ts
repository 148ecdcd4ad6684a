import type { TagTexts } from './en';

const es: TagTexts = {
  title: 'Etiquetas',
  empty: 'Todavía no hay etiquetas. Con ellas las llamadas se clasifican por tema.',
  name: 'Nombre',
  color: 'Color',
  parent: 'Debajo de',
  noParent: 'Ninguna otra etiqueta',
  create: 'Etiqueta nueva',
  edit: (name) => `Etiqueta ${name}`,
  deleteQuestion: (name) =>
    `La etiqueta ${name} se quitará de todas las llamadas. Las etiquetas de debajo se conservan. No se puede deshacer.`,
};

export default es;
