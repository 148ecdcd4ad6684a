/**
 * @param path the service may name a wrapper, as in `department.name`, or one item of a field, as in `allowed_sites.0`
 * @param isShown whether the form has an element for a field
 * @returns the field where the reader sees what is said of the path; null if nothing of it is shown
 */
export function shownFieldOf(
  path: string,
  values: object,
  isShown: (field: string) => boolean,
): string | null {
  const steps = path.split('.');
  const first = steps.findIndex((step) => step in values);
  if (first === -1) return null;
  for (let last = steps.length; last > first; last--) {
    const field = steps.slice(first, last).join('.');
    if (isShown(field)) return field;
  }
  return null;
}
