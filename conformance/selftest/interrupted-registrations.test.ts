import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deferred } from '../attempt/deferred.ts'
import { temporaryDirectory } from '../target/testing/test-support.ts'
import { startAssay } from './command.ts'
import { type Listener, scriptedTarget } from './scripted-target.ts'

/** A registrar that accepts any request and records registered and deleted ids; it can stop answering. */
function openRegistrar() {
  const here = new Set<string>()
  const received: string[] = []
  const silence = deferred<void>()
  let silent = false
  const listener: Listener = (_, { method, url = '' }, response) => {
    const [id] = /[0-9a-f-]{36}/.exec(url) ?? []
    if (method === 'POST' && id !== undefined) {
      here.add(id)
      received.push(id)
    }
    if (method === 'DELETE' && id !== undefined) here.delete(id)
    if (method === 'POST' && silent) return silence.resolve()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 200, status: 'Success', results: { blob: 'AAAA' } }))
  }
  /** Stops answering registrations; resolves when one has arrived. */
  const stopAnswering = (): Promise<void> => {
    silent = true
    return silence.promise
  }
  return { here, received, listener, stopAnswering }
}

test.each<[string, NodeJS.Signals | undefined, number]>([
  ['its end', undefined, 1],
  ['Ctrl-C between a registration and its answer', 'SIGINT', 2],
])('the fuzzer deletes its agents after %s, and keeps its findings', async (_, signal, code) => {
  const directory = temporaryDirectory()
  const { here, received, listener, stopAnswering } = openRegistrar()
  const target = await scriptedTarget(directory, ['registrar'], listener)
  const out = join(directory, 'out')
  const limits = signal === undefined ? ['--runs', '30'] : ['--rate', '50']
  const argv = ['fuzz', 'registration', '--target', target, '--out', out, ...limits]
  const running = startAssay(argv)
  await running.prints('takes honest evidence')
  if (signal !== undefined) {
    await running.prints('false pass')
    await stopAnswering()
    running.child.kill(signal)
  }
  const ending = await running.ended
  expect(ending.code, ending.stdout + ending.stderr).toBe(code)
  expect(received.length).toBeGreaterThan(2)
  expect(received.filter((id) => !id.startsWith('a55af022-'))).toEqual([])
  expect([...here]).toEqual([])
  const files = readdirSync(join(out, 'fuzz'))
  expect(files).toContainEqual(expect.stringMatching(/^registration-.*-01-false-pass\.json$/))
  for (const file of files) expect(ending.stdout).toContain(`--replay ${join(out, 'fuzz', file)}`)
})

test('an agent whose registration Ctrl-C interrupted is deleted', async () => {
  const directory = temporaryDirectory()
  const { here, received, listener, stopAnswering } = openRegistrar()
  const target = await scriptedTarget(directory, ['registrar'], listener)
  const silent = stopAnswering()
  const only = ['--only', 'adversarial.registration.e5-45-aik-byte-after']
  const running = startAssay(['run', '--target', target, '--out', join(directory, 'out'), ...only])
  await Promise.race([silent, running.ended])
  running.child.kill('SIGINT')
  const ending = await running.ended
  expect(ending.code, ending.stdout + ending.stderr).toBe(2)
  expect(received).toHaveLength(1)
  expect([...here]).toEqual([])
})
