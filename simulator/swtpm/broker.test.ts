import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bareResponse, fakeSwtpm } from '../testing/fake-swtpm.ts'
import { openLab } from '../testing/lab.ts'
import { responseCodeOf, writeCommand } from '../tpm/command.ts'
import { TPM_CC } from '../tpm/constants.ts'
import { cat, fromHex, toHex, u16 } from '../tpm/write.ts'
import { type CommandRecord, openBroker } from './broker.ts'

const lab = openLab()
const GET_RANDOM = writeCommand({ code: TPM_CC.GetRandom, parameters: u16(4) })
const SELF_TEST = writeCommand({ code: TPM_CC.SelfTest })

function connectTo(at: string | number): Socket {
  return typeof at === 'string' ? connect(at) : connect(at, '127.0.0.1')
}

test.each([
  ['TPM_RC_RETRY', 0x922],
  ['TPM_RC_YIELDED', 0x908],
  ['TPM_RC_TESTING', 0x90a],
])('the same bytes are sent again on %s', async (_, code) => {
  const fake = await fakeSwtpm(lab, [bareResponse(code), bareResponse(code), bareResponse(0)])
  const { transmit } = openBroker(fake)
  expect(responseCodeOf(await transmit(GET_RANDOM))).toBe(0)
  expect(fake.received).toEqual([GET_RANDOM, GET_RANDOM, GET_RANDOM])
})

test('any other code is returned without a retry', async () => {
  const fake = await fakeSwtpm(lab, [bareResponse(0x921)])
  const { transmit } = openBroker(fake)
  expect(responseCodeOf(await transmit(GET_RANDOM))).toBe(0x921)
  expect(fake.received).toHaveLength(1)
})

test('a TPM that always asks for a retry gets sixteen attempts', async () => {
  const fake = await fakeSwtpm(
    lab,
    Array.from({ length: 20 }, () => bareResponse(0x922)),
  )
  const { transmit } = openBroker(fake)
  expect(responseCodeOf(await transmit(GET_RANDOM))).toBe(0x922)
  expect(fake.received).toHaveLength(16)
})

test('one command is in flight: the next is sent after the response', async () => {
  const fake = await fakeSwtpm(lab, [])
  const { transmit } = openBroker(fake)
  await Promise.all([transmit(GET_RANDOM), transmit(SELF_TEST), transmit(GET_RANDOM)])
  expect(fake.received).toEqual([GET_RANDOM, SELF_TEST, GET_RANDOM])
})

test('the listener receives the command, its final response and the number of attempts', async () => {
  const records: CommandRecord[] = []
  const fake = await fakeSwtpm(lab, [bareResponse(0x922), bareResponse(0x1df)])
  await openBroker({ ...fake, onCommand: (record) => records.push(record) }).transmit(GET_RANDOM)
  expect(records).toEqual([
    {
      command: 'TPM2_GetRandom',
      detail: '4 bytes',
      response_code: 'TPM_RC_INTEGRITY (parameter 1)',
      command_hex: toHex(GET_RANDOM),
      response_hex: '80010000000a000001df',
      ms: expect.any(Number),
      submissions: 2,
    },
  ])
})

test('a TPM that goes away rejects the command in flight and the queued ones', async () => {
  const { transmit } = openBroker(await fakeSwtpm(lab, ['drop']))
  const answers = await Promise.allSettled([transmit(GET_RANDOM), transmit(SELF_TEST)])
  expect(answers).toMatchObject([{ reason: { code: 'closed' } }, { reason: { code: 'closed' } }])
})

test('a TPM that does not answer fails at the deadline', async () => {
  const fake = await fakeSwtpm(lab, ['hang'])
  const { transmit } = openBroker({ ...fake, deadlineMs: 20 })
  await expect(transmit(GET_RANDOM)).rejects.toMatchObject({ code: 'timeout' })
  expect(fake.data.destroyed).toBe(true)
})

test('a response in three pieces is one response', async () => {
  const fake = await fakeSwtpm(lab, ['hang'])
  const broker = openBroker(fake)
  const answer = broker.transmit(GET_RANDOM)
  await expect.poll(() => fake.received.length).toBe(1)
  for (const piece of ['8001', '0000000c0000', '00000004']) fake.data.emit('data', fromHex(piece))
  expect(toHex(await answer)).toBe('80010000000c000000000004')
})

test('closing sends TPM2_Shutdown to the TPM, and nothing after that', async () => {
  const fake = await fakeSwtpm(lab, [])
  const broker = openBroker(fake)
  await Promise.all([broker.close(), broker.close()])
  await expect(broker.transmit(GET_RANDOM)).rejects.toMatchObject({ code: 'closed' })
  expect(fake.received.map(toHex)).toEqual(['80010000000c000001450000'])
})

test('closing leaves the connection to its owner, without listeners', async () => {
  const fake = await fakeSwtpm(lab, [])
  const listeners = () => ['data', 'error', 'close'].map((event) => fake.data.listenerCount(event))
  const before = listeners()
  await openBroker(fake).close()
  expect([fake.data.destroyed, listeners()]).toEqual([false, before])
})

test('a client that sends two and a half commands at once gets two responses in order', async () => {
  const fake = await fakeSwtpm(lab, [bareResponse(0x101), bareResponse(0x102)])
  const broker = openBroker(fake)
  const path = join(await lab.directory(), 'tpm')
  await broker.serveUnix(path)
  const client = connect(path)
  const got: Uint8Array[] = []
  client.on('data', (chunk: Buffer) => got.push(new Uint8Array(chunk)))
  client.write(cat(GET_RANDOM, SELF_TEST, GET_RANDOM.subarray(0, 7)))
  await expect.poll(() => cat(...got).length).toBe(20)
  expect(toHex(cat(...got))).toBe('80010000000a0000010180010000000a00000102')
  client.destroy()
  await broker.close()
})

test('a client whose header states an impossible size gets an error and is disconnected', async () => {
  const broker = openBroker(await fakeSwtpm(lab, []))
  const path = join(await lab.directory(), 'tpm')
  await broker.serveUnix(path)
  const client = connect(path)
  client.write(fromHex('8001ffffffff0000017b'))
  const [answer] = await once(client, 'data')
  expect(responseCodeOf(answer)).toBe(0x142)
  await once(client, 'end')
  await broker.close()
})

test('closing disconnects remaining clients and removes both pairs of sockets', async () => {
  const broker = openBroker(await fakeSwtpm(lab, []))
  const path = join(await lab.directory(), 'tpm')
  await broker.serveUnix(path)
  const { port } = await broker.serveTcp()
  const clients = [path, `${path}.ctrl`, port, port + 1].map(connectTo)
  await Promise.all(clients.map((client) => once(client, 'connect')))
  await broker.close()
  await expect.poll(() => clients.every((client) => client.destroyed)).toBe(true)
  for (const at of [path, `${path}.ctrl`, port, port + 1]) {
    await expect(once(connectTo(at), 'connect')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  }
})
