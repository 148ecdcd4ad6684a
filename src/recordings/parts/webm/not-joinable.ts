import { unprocessable } from '../../../platform/http/errors/api-error';

/** 422: the part is not WebM, or cannot follow or precede the other parts of the recording. */
export const notJoinable = (detail: string) => unprocessable('part_not_joinable', detail);
