import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { fromHex, toHex } from '../tpm/write.ts'

const lab = openLab()
/** swtpm's control command 5: the locality of later commands, here 0. Its response is a code of four bytes. */
const SET_LOCALITY = fromHex('0000000500')
const DONE = '00000000'

let controlPath: string

beforeAll(async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const { tcti } = await machine.serveUnix()
  controlPath = `${tcti.replace('swtpm:path=', '')}.ctrl`
})

/** Sends one control command and returns the response; '' if the connection was closed without one. */
async function control(): Promise<string> {
  const client = connect(controlPath)
  client.write(SET_LOCALITY)
  const [answer] = await Promise.race([once(client, 'data'), once(client, 'end')])
  client.destroy()
  return answer === undefined ? '' : toHex(answer)
}

test('a control command is answered by swtpm', async () => {
  expect(await control()).toBe(DONE)
})

test('more control clients than swtpm accepts at once are all answered', async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, control))
  expect(answers).toEqual(Array.from({ length: 32 }, () => DONE))
})

test('a control client that leaves while it waits does not block others', async () => {
  const [first, second] = [connect(controlPath), connect(controlPath)]
  await Promise.all([once(first, 'connect'), once(second, 'connect')])
  second.destroy()
  first.destroy()
  expect(await control()).toBe(DONE)
})
