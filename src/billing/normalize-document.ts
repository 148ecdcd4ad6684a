import { cnpj, cpf } from 'cpf-cnpj-validator';

const BARE = { cpf: /^\d{11}$/, cnpj: /^[0-9A-Z]{12}\d{2}$/ };

/**
 * A Brazilian taxpayer's number without punctuation, in upper case; since July 2026 a CNPJ may hold
 * letters (Instrução Normativa RFB 2.229/2024).
 * @returns null when its length or check digits are wrong, or something else is written with it
 */
export function normalizeDocument(document: string, type: 'cpf' | 'cnpj'): string | null {
  const bare = document.replace(/[.\-/\s]/g, '').toUpperCase();
  const validator = type === 'cpf' ? cpf : cnpj;
  // The validator itself overlooks whatever else is in between, and one document would have many forms.
  return BARE[type].test(bare) && validator.isValid(bare) ? bare : null;
}
