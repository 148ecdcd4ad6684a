const en = {
  title: 'Exports',
  help: 'Calls, customers or links as a CSV file, for a spreadsheet or another program. Every export is written to the audit log.',
  kind: 'What to export',
  kinds: { calls: 'Calls', customers: 'Customers', links: 'Links' },
  status: 'Status',
  linkStatus: {
    active: 'Active',
    scheduled: 'Not valid yet',
    used: 'Used up',
    expired: 'Expired',
    cancelled: 'Cancelled',
  },
  department: 'Department',
  from: 'From',
  to: 'Until',
  reversed: 'The last day must not be before the first one.',
  download: 'Download CSV',
  excel: 'For Excel',
  excelHelp:
    'Semicolons between the values, as Excel expects in Brazil and most of Europe, and a mark by which it shows accents.',
  rows: (n: number, text: string) => (n === 1 ? '1 row' : `${text} rows`),
  progress: 'Progress of the export',
  running: (rows: string, expected: string | null, megabytes: string) =>
    expected === null
      ? `${rows} rows, ${megabytes} MB so far`
      : `${rows} of ${expected} rows, ${megabytes} MB so far`,
  done: (rows: string, megabytes: string) => `The file was saved (rows: ${rows}; ${megabytes} MB).`,
  cancelled: 'The export was cancelled. No file was saved.',
};

export default en;
export type ExportTexts = typeof en;
