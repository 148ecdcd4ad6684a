interface Details {
  email: string | null;
  phone: string | null;
  document: string | null;
  notes: string | null;
}

const FIELDS = ['email', 'phone', 'document', 'notes'] as const;

export type Detail = (typeof FIELDS)[number];

/** A value of a duplicate. */
export interface DetailValue {
  field: Detail;
  value: string;
}

/**
 * What a merge does to the details of the survivor: empty ones are filled from the first duplicate that has a value, in
 * the order of the duplicates. The service does the same.
 */
export function foreseeMerge(
  survivor: Details,
  duplicates: readonly Details[],
): { filled: DetailValue[]; lost: DetailValue[] } {
  const filled: DetailValue[] = [];
  const lost: DetailValue[] = [];
  for (const field of FIELDS) {
    let kept = survivor[field];
    for (const { [field]: value } of duplicates) {
      if (!value) continue;
      if (!kept) {
        kept = value;
        filled.push({ field, value });
      } else if (value !== kept && !lost.some((known) => known.field === field && known.value === value)) {
        lost.push({ field, value });
      }
    }
  }
  return { filled, lost };
}
