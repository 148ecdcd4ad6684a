import { cnpj, cpf } from 'cpf-cnpj-validator';
import { withoutInvisible } from '../platform/text/invisible';

const PATTERNS = { cpf: /^\d{11}$/, cnpj: /^[0-9A-Z]{12}\d{2}$/ };

/**
 * A Brazilian taxpayer number (CPF or CNPJ) without punctuation, whatever its dashes, and invisible characters, in upper case. Since July 2026 a CNPJ may
 * contain letters (Instrução Normativa RFB 2.229/2024).
 * @returns null if its length or check digits are wrong, or it contains other characters
 */
export function normalizeDocument(document: string, type: 'cpf' | 'cnpj'): string | null {
  const bare = withoutInvisible(document)
    .replace(/[./\s\p{Dash}]/gu, '')
    .toUpperCase();
  const validator = type === 'cpf' ? cpf : cnpj;
  // The validator alone ignores other characters, so one document could be registered in many spellings.
  return PATTERNS[type].test(bare) && validator.isValid(bare) ? bare : null;
}
