export interface Choice {
  value: string;
  label: string;
}

interface Named {
  department_id: string | null;
  department_name?: string;
}

const ID_END = 6;

/**
 * @param ids of the queues that the user sees
 * @param named records with names of departments, newest first
 * @returns those departments by name; the end of the id replaces an unknown name
 */
export function namesOfDepartments(ids: readonly string[], named: readonly Named[]): Choice[] {
  return ids
    .map((id) => {
      const known = named.find(
        ({ department_id, department_name }) => department_id === id && department_name,
      );
      return { value: id, label: known?.department_name ?? `…${id.slice(-ID_END)}` };
    })
    .sort((one, other) => one.label.localeCompare(other.label));
}
