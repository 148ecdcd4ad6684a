/**
 * The cells of one row of CSV (RFC 4180), without line breaks in cells.
 * @param separator one character
 */
export function cellsOf(row: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < row.length; at++) {
    const character = row[at];
    if (character === '"' && isQuoted && row[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += character;
    }
  }
  return [...cells, cell.trim()];
}
