import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartFault } from '../../errors.ts'
import { zeromqNotifier } from '../../verifier/revocation/zeromq-notifier.ts'

/**
 * `node zeromq-publisher.ts HOST PORT TIMES`: begins to publish there and ends it, so often; each time another process
 * takes the port and gives it back. Prints the error of a failed start. A process of its own, like the subscriber.
 */
const [host = '', port, times] = process.argv.slice(2)

try {
  for (let count = 0; count < Number(times); count++) {
    const notifier = await zeromqNotifier({ host, port: Number(port) })
    await notifier.close()
    const other = createServer().listen(Number(port), host)
    await once(other, 'listening')
    other.close()
    await once(other, 'close')
  }
} catch (error) {
  if (!(error instanceof StartFault)) throw error
  console.log(`${error.sentence}\n${error.next}`)
}
