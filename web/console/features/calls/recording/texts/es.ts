import type { RecordingTexts } from './en';

const es: RecordingTexts = {
  title: 'Grabación',
  which: 'Qué grabación',
  nth: (n, at) => `Grabación ${n}, ${at}`,
  play: 'Reproducir la grabación',
  player: 'Grabación de la llamada',
  download: 'Descargar la grabación',
  remove: 'Eliminar la grabación',
  removeQuestion: 'La grabación y su transcripción se eliminarán definitivamente. No se puede deshacer.',
  removed: 'La grabación se ha eliminado.',
  transcript: 'Transcripción',
  summary: 'Resumen',
  silent: 'Nadie habla en esta grabación.',
  speaker: (name) => `Persona ${name}`,
  bySoftware: (model) => `Escrito por software (${model}). Puede contener errores.`,
  noPlan: {
    transcript: 'Su plan no incluye transcripciones.',
    summary: 'Su plan no incluye resúmenes.',
  },
  none: {
    transcript: 'No hay transcripción de esta grabación.',
    summary: 'No hay resumen de esta grabación.',
  },
  pending: {
    transcript: 'Se está escribiendo la transcripción…',
    summary: 'Se está escribiendo el resumen…',
  },
  failed: {
    transcript: 'No se pudo escribir la transcripción.',
    summary: 'No se pudo escribir el resumen.',
  },
  retry: 'Solicitarla de nuevo',
  requested: 'Se ha solicitado y aparecerá aquí.',
  nothingToRetry: 'No hay nada que solicitar: este servicio no escribe transcripciones ahora.',
};

export default es;
