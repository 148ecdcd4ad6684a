import type { ExportTexts } from './en';

const pt: ExportTexts = {
  title: 'Exportações',
  help: 'Chamadas, clientes ou links em um arquivo CSV, para uma planilha ou outro programa. Toda exportação fica registrada na auditoria.',
  kind: 'O que exportar',
  kinds: { calls: 'Chamadas', customers: 'Clientes', links: 'Links' },
  status: 'Status',
  linkStatus: {
    active: 'Ativo',
    scheduled: 'Ainda não válido',
    used: 'Esgotado',
    expired: 'Expirado',
    cancelled: 'Cancelado',
  },
  department: 'Departamento',
  from: 'De',
  to: 'Até',
  reversed: 'O último dia não pode ser anterior ao primeiro.',
  download: 'Baixar CSV',
  excel: 'Para o Excel',
  excelHelp:
    'Ponto e vírgula entre os valores, como o Excel espera no Brasil e em quase toda a Europa, e uma marca para que os acentos apareçam.',
  rows: (n, text) => (n === 1 ? '1 linha' : `${text} linhas`),
  progress: 'Andamento da exportação',
  running: (rows, expected, megabytes) =>
    expected === null
      ? `${rows} linhas, ${megabytes} MB até agora`
      : `${rows} de ${expected} linhas, ${megabytes} MB até agora`,
  done: (rows, megabytes) => `O arquivo foi salvo (linhas: ${rows}; ${megabytes} MB).`,
  cancelled: 'A exportação foi cancelada. Nenhum arquivo foi salvo.',
};

export default pt;
