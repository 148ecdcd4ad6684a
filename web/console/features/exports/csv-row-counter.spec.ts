import { CsvRowCounter } from './csv-row-counter';

const rowsOf = (...pieces: string[]): number => {
  const counter = new CsvRowCounter();
  for (const piece of pieces) counter.add(new TextEncoder().encode(piece));
  return counter.rows;
};

describe('the rows of a CSV file', () => {
  it.each([
    ['nothing', [''], 0],
    ['the header alone', ['id,name\r\n'], 0],
    ['two rows', ['id,name\r\n1,Ana\r\n2,Bia\r\n'], 2],
    ['a line break within quotes', ['id,name\r\n1,"Ana\r\nSouza"\r\n'], 1],
    ['escaped quotes', ['id,name\r\n1,"Ana ""A"" Souza\n"\r\n2,Bia\r\n'], 2],
    ['pieces that split a quoted text', ['id,name\r\n1,"A', '\n', 'na"\r\n2,B', 'ia\r\n'], 2],
  ])('%s', (_name, pieces, rows) => {
    expect(rowsOf(...pieces)).toBe(rows);
  });
});
