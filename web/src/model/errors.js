// Why an action is not done.

/** It is refused, with the reason as part of a sentence. */
export class Refused extends Error {}

/** A part of the page could not be loaded. */
export class Unloaded extends Refused {}

/** The program is not connected. */
export class Lost extends Error {}
