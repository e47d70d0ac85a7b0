import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { fromHex, toHex } from '../../bytes/hex.ts'
import { connectionOver, openTpm } from './open-tpm.ts'
import { socketTransport } from './socket-transport.ts'
import type { Transport } from './transport.ts'
import { TpmSilent } from './transport.ts'

const COMMAND = fromHex('80010000000a00000144')
const SUCCESS = fromHex('80010000000a00000000')
const RETRY = fromHex('80010000000a00000922')

function scripted(answers: readonly Uint8Array[]) {
  const sent: string[] = []
  const left = [...answers]
  const transport: Transport = {
    async exchange(command) {
      sent.push(toHex(command))
      return left.shift() ?? SUCCESS
    },
    close: async () => undefined,
  }
  return { sent, transport }
}

test('the same bytes are sent again for as long as the TPM asks for that', async () => {
  const { sent, transport } = scripted([RETRY, RETRY, SUCCESS])
  const waits: number[] = []
  const tpm = connectionOver(transport, async (ms) => waits.push(ms))
  expect(await tpm.transmit(COMMAND)).toEqual(SUCCESS)
  expect(sent).toEqual([COMMAND, COMMAND, COMMAND].map(toHex))
  expect(waits).toEqual([5, 10])
})

test('a TPM that never has time is heard of in the end', async () => {
  const { sent, transport } = scripted(Array.from({ length: 99 }, () => RETRY))
  const tpm = connectionOver(transport, async () => undefined)
  expect(await tpm.transmit(COMMAND)).toEqual(RETRY)
  expect(sent).toHaveLength(21)
})

test('no command is sent before the one before it is answered', async () => {
  let inFlight = 0
  let most = 0
  const tpm = connectionOver({
    async exchange() {
      inFlight += 1
      most = Math.max(most, inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight -= 1
      return SUCCESS
    },
    close: async () => undefined,
  })
  await Promise.all([1, 2, 3].map(() => tpm.transmit(COMMAND)))
  expect(most).toBe(1)
})

/** A socket that answers each command in its own way. */
async function served(answer: (client: Socket) => void) {
  const server = createServer((client) => {
    client.on('error', () => undefined)
    client.on('data', () => answer(client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { kind: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port } as const
}

test('a response that comes in pieces is put together', async () => {
  const place = await served((client) => {
    client.write(SUCCESS.subarray(0, 3))
    setImmediate(() => client.write(SUCCESS.subarray(3)))
  })
  const tpm = openTpm(place)
  expect(await tpm.transmit(COMMAND)).toEqual(SUCCESS)
  await tpm.close()
})

test('a connection that ended between two commands is made anew', async () => {
  const place = await served((client) => client.end(SUCCESS))
  const tpm = openTpm(place)
  await tpm.transmit(COMMAND)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await tpm.transmit(COMMAND)).toEqual(SUCCESS)
  await tpm.close()
})

test.each([
  ['hangs up', (client: Socket) => client.destroy(), 'ended before it had answered'],
  [
    'sends more than it announces',
    (client: Socket) => client.write(fromHex('80010000000a0000000000')),
    'is no TPM',
  ],
  ['announces nothing', (client: Socket) => client.write(new Uint8Array(10)), 'is no TPM'],
  ['sends nothing', () => undefined, 'did not answer in 100 ms'],
])('what %s is no TPM that can be used', async (_, answer, why) => {
  const transport = socketTransport(await served(answer as (client: Socket) => void), 100)
  await expect(transport.exchange(COMMAND)).rejects.toThrow(why)
  await transport.close()
})

test('a silent TPM is distinguished from a missing one', async () => {
  const transport = socketTransport(await served(() => undefined), 20)
  await expect(transport.exchange(COMMAND)).rejects.toBeInstanceOf(TpmSilent)
  await transport.close()
  const absent = socketTransport({ kind: 'unix', path: '/nowhere/s' }, 20)
  await expect(absent.exchange(COMMAND)).rejects.not.toBeInstanceOf(TpmSilent)
})

test('without a listener there is no TPM', async () => {
  const tpm = openTpm({ kind: 'unix', path: '/nowhere/s' })
  await expect(tpm.transmit(COMMAND)).rejects.toThrow('no TPM answers at /nowhere/s (ENOENT)')
})
