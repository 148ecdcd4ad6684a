import type { ExportTexts } from './en';

const es: ExportTexts = {
  title: 'Exportaciones',
  help: 'Llamadas, clientes o enlaces en un archivo CSV, para una hoja de cálculo u otro programa. Cada exportación queda en el registro de auditoría.',
  kind: 'Qué exportar',
  kinds: { calls: 'Llamadas', customers: 'Clientes', links: 'Enlaces' },
  status: 'Estado',
  linkStatus: {
    active: 'Activo',
    scheduled: 'Aún no válido',
    used: 'Agotado',
    expired: 'Vencido',
    cancelled: 'Cancelado',
  },
  department: 'Departamento',
  from: 'Desde',
  to: 'Hasta',
  reversed: 'El último día no puede ser anterior al primero.',
  download: 'Descargar CSV',
  excel: 'Para Excel',
  excelHelp:
    'Punto y coma entre los valores, como Excel espera en Brasil y en casi toda Europa, y una marca para que se vean los acentos.',
  rows: (n, text) => (n === 1 ? '1 fila' : `${text} filas`),
  progress: 'Progreso de la exportación',
  running: (rows, expected, megabytes) =>
    expected === null
      ? `${rows} filas, ${megabytes} MB hasta ahora`
      : `${rows} de ${expected} filas, ${megabytes} MB hasta ahora`,
  done: (rows, megabytes) => `El archivo se guardó (filas: ${rows}; ${megabytes} MB).`,
  cancelled: 'La exportación se canceló. No se guardó ningún archivo.',
};

export default es;
