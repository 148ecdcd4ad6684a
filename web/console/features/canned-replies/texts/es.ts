import type { CannedReplyTexts } from './en';

const es: CannedReplyTexts = {
  title: 'Respuestas preparadas',
  intro:
    'Textos de su empresa para notas y mensajes del chat. Escriba allí / y una parte del título, del texto o del atajo.',
  empty: 'Todavía no hay respuestas preparadas.',
  noneFound: 'Ninguna respuesta preparada coincide con la búsqueda.',
  searchText: 'En el título, el texto y el atajo',
  name: 'Título',
  text: 'Texto',
  shortcut: 'Atajo',
  shortcutText: 'Opcional: la palabra tras la barra que encuentra primero este texto, por ejemplo «factura».',
  create: 'Nueva respuesta preparada',
  edit: (title) => `Respuesta preparada ${title}`,
  deleteQuestion: (title) =>
    `«${title}» se quitará para todos los usuarios. Las notas y los mensajes en que se insertó se conservan.`,
  inBrowser: 'Solo en este navegador',
  inBrowserText:
    'Sus propios textos, de antes de que la empresa pudiera compartirlos. También los encuentra con /.',
  askSupervisor: 'Un supervisor puede añadirlos para toda la empresa.',
  import: 'Importar para la empresa',
  remove: 'Quitar',
  removeOne: (title) => `Quitar ${title} de este navegador`,
};

export default es;
