/** A command that was rejected; the message contains the reason and the correct usage. */
export class CommandRejected extends Error {
  override readonly name = 'CommandRefused'
}
