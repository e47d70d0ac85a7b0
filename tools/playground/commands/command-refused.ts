/** A command that cannot be carried out; the sentence says why, and what can be. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}
