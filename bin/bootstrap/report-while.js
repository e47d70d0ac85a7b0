const LINE_EACH_MS = 5000
const CHANGE_EACH_MS = 500

/**
 * Prints how far a command is until it ends: every five seconds a line, on a terminal one line that changes.
 * @template T
 * @param {Promise<T>} work
 * @param {(seconds: number) => string} line receives the seconds since the begin
 * @param {Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>} [stream]
 * @returns {Promise<T>}
 */
export async function reportWhile(work, line, stream = process.stderr) {
  const isLive = stream.isTTY === true && process.env.TERM !== 'dumb' && !process.env.CI
  const began = Date.now()
  const text = () => line(Math.round((Date.now() - began) / 1000))
  const print = () => {
    if (isLive) stream.write(`\r\x1b[K${text().slice(0, (stream.columns || 80) - 1)}`)
    else stream.write(`${text()}\n`)
  }
  const timer = setInterval(print, isLive ? CHANGE_EACH_MS : LINE_EACH_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (isLive) stream.write('\r\x1b[K')
  }
}
