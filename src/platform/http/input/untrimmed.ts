const UNTRIMMED = Symbol('UNTRIMMED');

/** Keeps the blanks around the strings of a DTO: a session description ends with a line break. */
export const Untrimmed = (): ClassDecorator => (target) => Reflect.defineMetadata(UNTRIMMED, true, target);

export const isUntrimmed = (target: object): boolean => Reflect.hasMetadata(UNTRIMMED, target);
