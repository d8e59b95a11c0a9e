// Why an action is not done.

/** It is refused, with the reason as part of a sentence. */
export class Refused extends Error {}

/** The program is not connected. */
export class Lost extends Error {}
