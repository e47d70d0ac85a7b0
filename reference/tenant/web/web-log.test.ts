import { expect, test } from 'vitest'
import { AGENT_ID } from '../testing/stub-agent.ts'
import { AGENT, IP, webScene } from '../testing/web-scene.ts'
import { webLog } from './web-log.ts'

const STARTED = 'the web application has started'

test('there is one log', async () => {
  const { web } = await webScene()
  expect(await web('/v2/logs/')).toMatchObject({ status: 200, results: { logs: ['tenant'] } })
  expect(await web('/v2/logs/verifier')).toMatchObject({ status: 404 })
})

test('the log says who changed what, how far it got, and how it ended', async () => {
  const { web, lines } = await webScene()
  await web(AGENT, { method: 'POST', body: IP })
  const [first, begun, ...rest] = await lines()
  expect([first, begun]).toEqual([STARTED, `client: add agent ${AGENT_ID}`])
  expect(rest.join('\n')).toMatch(/quote from .* validated[\s\S]*added to the verifier at \S+$/)
})

test('a change that fails is in the log with its reason, and no secret', async () => {
  const { web, lines } = await webScene()
  await web(AGENT, { method: 'POST', body: { ...IP, ca_dir: '..', ca_dir_pw: 'a password' } })
  const log = await lines()
  expect(log.at(-1)).toMatch(
    new RegExp(`^failed to add agent ${AGENT_ID}: /ca_dir: is no file name`),
  )
  expect(log.join()).not.toContain('a password')
})

test('pos is the line to begin with, and the answer says which comes next', async () => {
  const { web, lines } = await webScene()
  await web(AGENT, { method: 'POST', body: IP })
  await web(AGENT, { method: 'DELETE' })
  const all = await lines()
  const { pos } = (await web('/v2/logs/tenant')).results
  expect(pos).toBe(all.length)
  expect(await lines('?pos=0')).toEqual(all)
  expect(await lines('?pos=2')).toEqual(all.slice(2))
  expect(await lines(`?pos=${pos}`)).toEqual([])
  expect(await lines('?pos=100000')).toEqual([])
})

test.each(['-1', 'x', '1.5', '', '1e3', '1&pos=2'])('pos=%s is refused', async (pos) => {
  const { web } = await webScene()
  expect(await web(`/v2/logs/tenant?pos=${pos}`)).toMatchObject({
    ...{ status: 400, says: expect.stringMatching(/pos/) },
  })
})

test('old lines are dropped, and positions go on', () => {
  const log = webLog({ now: () => 0 })
  for (let line = 0; line < 6000; line++) log.add(`line ${line}`)
  const { first, pos, log: kept } = log.from(0)
  expect({ first, pos, kept: kept.length }).toEqual({ first: 1000, pos: 6000, kept: 5000 })
  expect(log.from(5999).log).toEqual(['1970-01-01T00:00:00.000Z line 5999'])
})

test('a line is one line', () => {
  const log = webLog({ now: () => 0 })
  log.add('one\ntwo\u001b[2J')
  expect(log.from(0).log).toEqual(['1970-01-01T00:00:00.000Z one\\u{a}two\\u{1b}[2J'])
})
