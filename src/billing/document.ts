import { cnpj, cpf } from 'cpf-cnpj-validator';

/**
 * A Brazilian taxpayer's number without punctuation, in upper case; since July 2026 a CNPJ may hold
 * letters (Instrução Normativa RFB 2.229/2024).
 * @returns null when its length or check digits are wrong
 */
export function normalizeDocument(document: string, type: 'cpf' | 'cnpj'): string | null {
  const bare = document.replace(/[.\-/\s]/g, '').toUpperCase();
  const validator = type === 'cpf' ? cpf : cnpj;
  return validator.isValid(bare) ? bare : null;
}
