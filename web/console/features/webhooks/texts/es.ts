import { plural } from '../../../../shared/texts/plural';
import type { WebhookTexts } from './en';
import events from './events-es';

const es: WebhookTexts = {
  title: 'Webhooks',
  one: 'Webhook',
  help: 'El servicio envía eventos a otros programas de la empresa, por ejemplo a un CRM.',
  empty: 'Todavía no hay webhooks.',
  create: 'Webhook nuevo',
  url: 'Dirección',
  urlHelp: 'Una dirección https en internet que acepta solicitudes POST.',
  state: 'Estado',
  events: 'Eventos',
  createdAt: 'Creado',
  active: 'Enviar entregas',
  ...events,
  states: {
    active: 'Activo',
    failing: 'Activo, pero con fallos',
    inactive: 'Inactivo',
    disabled_failing: 'Desactivado: fallos',
    disabled_gone: 'Desactivado: no deseado',
    disabled_backlog: 'Desactivado: demasiadas pendientes',
  },
  reasons: {
    failing: (since) =>
      `Las entregas fallan desde ${since}. Se repiten; tras tres días sin éxito el webhook se desactiva. Los intentos de abajo muestran el motivo.`,
    inactive: () =>
      'Un gerente desactivó este webhook. Los eventos que ocurran mientras tanto no se enviarán después.',
    disabled_failing: (since) =>
      `El servicio desactivó este webhook el ${since}, porque ninguna entrega tuvo éxito en tres días. Repare el receptor, active el webhook y reenvíe las entregas fallidas.`,
    disabled_gone: (since) =>
      `El servicio desactivó este webhook el ${since}, porque el receptor respondió que no quiere más entregas (HTTP 410).`,
    disabled_backlog: (since) =>
      `El servicio desactivó este webhook el ${since}, porque el receptor acepta las entregas demasiado despacio y había demasiadas pendientes. Haga más rápido el receptor, active el webhook y reenvíe las entregas fallidas. Los eventos que ocurran mientras tanto no se enviarán después.`,
  },
  activate: 'Activar',
  secret: 'Secreto del webhook',
  secretOnce:
    'Copie el secreto ahora: no se volverá a mostrar. Con él, el receptor comprueba que las entregas vienen de aquí.',
  secretKept: 'Ya lo guardé',
  rotate: 'Secreto nuevo',
  rotateQuestion:
    'El webhook recibe un secreto nuevo, que se muestra una sola vez. El actual sigue siendo válido un día.',
  deleteQuestion: (url) => `El webhook hacia ${url} y sus entregas se eliminarán. No se puede deshacer.`,
  deleted: 'El webhook se eliminó.',
  test: 'Enviar prueba',
  testEvent: 'Prueba',
  deliveries: 'Entregas',
  delivery: 'Entrega',
  noDeliveries: 'No hay entregas así. Una prueba envía una enseguida.',
  time: 'Hora',
  event: 'Evento',
  attempts: 'Intentos',
  noAttempts: 'Todavía no se ha enviado nada.',
  underWay: 'aún sin respuesta',
  result: 'Resultado',
  response: 'Respuesta del receptor',
  payload: 'Lo que se envía',
  statuses: { pending: 'En curso', delivered: 'Entregada', failed: 'Fallida' },
  nextAttempt: (time) => `próximo intento: ${time}`,
  redeliver: 'Enviar de nuevo',
  redelivering: 'La entrega se envía de nuevo.',
  replay: 'Reenviar un período',
  replayStart: 'Reenviar',
  replayHelp:
    'Envía otra vez las entregas de un período, con los mismos ids: el receptor reconoce las que ya tiene.',
  from: 'Desde',
  to: 'Hasta',
  toHelp: (zone) => `Vacío: hasta ahora. Zona horaria: ${zone}`,
  which: 'Qué entregas',
  fromMissing: 'Elija el comienzo del período.',
  reversed: 'El final no puede ser anterior al comienzo.',
  replaying: (n) =>
    n === 0
      ? 'No había entregas así en este período.'
      : plural(n, '1 entrega se envía de nuevo.', `${n} entregas se envían de nuevo.`),
};

export default es;
