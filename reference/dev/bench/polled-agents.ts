import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loadAuthority, SERVER_AUTH } from '../../pki/authority.ts'
import { type Machine, PCR, quoteResults, STUB_AK } from '../testing/stub-pull-machine.ts'

/**
 * A host of pull agents, started by the bench of polls with the directory of a CA and a number of agents. It says where
 * they are, then on each message how often they were asked, and the longest that any of them waited; it ends with
 * the process that started it.
 */
const [directory = '', agents = '250'] = process.argv.slice(2)

const pem = (name: string): string => readFileSync(`${directory}/${name}`, 'utf8')
const ca = { certificate: pem('cacert.crt'), key: pem('ca-private.pem') }
const tls = await (await loadAuthority(ca, Date.now())).issue({
  ...{ commonName: 'agent', usage: SERVER_AUTH },
})
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const nodeKey = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const machine: Machine = { resetCount: 5, list: [], nodeKey, ima: PCR, pcr: PCR }

let [asked, connections, longest] = [0, 0, 0]
process.on('message', () => {
  process.send?.({ asked, connections, longest })
  longest = 0
})
process.on('disconnect', () => process.exit(0))

/** One agent on a free port. */
async function listen(): Promise<number> {
  let last = Number.POSITIVE_INFINITY
  const options = { cert: tls.certificate, key: tls.key, ca: ca.certificate, requestCert: true }
  const server = createServer(options, ({ url }, response) => {
    const now = Date.now()
    longest = Math.max(longest, now - last)
    last = now
    asked += 1
    const query = Object.fromEntries(new URL(url ?? '', 'https://agent').searchParams)
    const results = quoteResults(machine, query)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 200, status: 'Success', results }))
  })
  server.on('secureConnection', () => {
    connections += 1
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const ports: number[] = []
for (let count = 0; count < Number(agents); count++) ports.push(await listen())
process.send?.({ ports, ak: STUB_AK, certificate: tls.certificate })
