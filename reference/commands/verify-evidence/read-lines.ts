const NEWLINE = 0x0a

/**
 * The lines of a stream without their newlines. A line of more than `most` bytes comes as undefined, and its bytes are not kept;
 * bytes after the last newline are a line too.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array | undefined> {
  let held: Uint8Array[] = []
  let size = 0
  const take = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > most) held = []
    else held.push(bytes)
  }
  const finish = () => {
    const line = size > most ? undefined : new Uint8Array(Buffer.concat(held))
    held = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at))
      yield finish()
      from = at + 1
    }
    take(chunk.subarray(from))
  }
  if (size > 0) yield finish()
}
