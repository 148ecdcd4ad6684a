import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type ReadRules = MetadataStorage['getTargetValidationMetadatas'];

/**
 * Remembers the rules of each class. class-validator collects them from all classes of the service whenever it
 * validates an instance. They are complete when the class has been defined, and the service uses no groups of rules. It
 * has no rules of schemas either: for a nested object, class-validator gives the name of the class around it as that of a
 * schema.
 */
export function cacheValidationRules(): void {
  const storage = getMetadataStorage();
  if (Object.hasOwn(storage, 'getTargetValidationMetadatas')) return;
  const read: ReadRules = storage.getTargetValidationMetadatas.bind(storage);
  const cache = new WeakMap<object, ReturnType<ReadRules>>();
  storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
    if (always || strictGroups || groups?.length) {
      return read(type, schema, always, strictGroups, groups);
    }
    const known = cache.get(type);
    if (known) return known;
    const rules = read(type, schema, always, strictGroups, groups);
    cache.set(type, rules);
    return rules;
  };
}
