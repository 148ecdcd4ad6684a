/** A part is not WebM as browsers record it, or cannot follow or precede the other parts of the recording. */
export class NotJoinable extends Error {}
