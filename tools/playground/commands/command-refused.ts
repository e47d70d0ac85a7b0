/** A command that was rejected; the message contains the reason and the correct usage. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}
