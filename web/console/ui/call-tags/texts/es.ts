import type { CallTagsTexts } from './en';

const es: CallTagsTexts = {
  title: 'Etiquetas',
  add: 'Añadir etiqueta',
  nothing: 'No hay tal etiqueta',
  remove: (name) => `Quitar la etiqueta ${name}`,
};

export default es;
