import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test, vi } from 'vitest'
import { zipOf } from '../../bytes/zip.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { deliveries, type PayloadSettings } from './deliver-payload.ts'
import { entryChecks, readArchive } from './read-archive.ts'

const KEY = new Uint8Array(32)

/** Delivers payloads one after the other; returns the log and the directory. */
function delivered(
  payloads: readonly (Uint8Array | undefined)[],
  change: Partial<PayloadSettings> = {},
) {
  const directory = join(temporaryDirectory(), 'secure')
  const logged: string[] = []
  const { deliver, close } = deliveries({
    settings: {
      ...{ directory, keyFile: 'key', payloadFile: 'payload', limit: 1000 },
      ...{ isArchive: true, script: '', ...change },
    },
    ...{ readArchive, entryChecks },
    log: { info: (sentence) => logged.push(sentence), warn: (sentence) => logged.push(sentence) },
  })
  for (const payload of payloads) deliver({ key: KEY, payload })
  return { directory, logged, close }
}

const archive = (name: string, content = 'x') => zipOf([{ name, content }])

test('the files of a payload replace those of the one before', async () => {
  const { directory, close } = delivered([archive('one'), archive('two')])
  await close()
  expect(readdirSync(join(directory, 'unzipped'))).toEqual(['two'])
})

test('a refused archive leaves the existing files', async () => {
  const { directory, logged, close } = delivered([archive('one'), archive('../two')])
  await close()
  expect(readdirSync(join(directory, 'unzipped'))).toEqual(['one'])
  expect(existsSync(join(directory, 'two'))).toBe(false)
  expect(logged.at(-1)).toContain('payload not delivered')
})

test('without a payload nothing is put anywhere', async () => {
  const { directory, close } = delivered([undefined])
  await close()
  expect(existsSync(directory)).toBe(false)
})

test('a payload that is not an archive is stored unchanged if the setting says so', async () => {
  const plain = new TextEncoder().encode('plain')
  const { directory, close } = delivered([plain], { isArchive: false })
  await close()
  expect(readFileSync(join(directory, 'payload'), 'utf8')).toBe('plain')
  expect(existsSync(join(directory, 'unzipped'))).toBe(false)
})

test('the exit of a script is logged', async () => {
  const { logged, close } = delivered([archive('run.sh', 'exit 3')], { script: 'run.sh' })
  await vi.waitFor(() => expect(logged).toContain('run.sh ended with 3'), 40_000)
  await close()
})

test('a script runs below a directory that is named from where the agent runs', async () => {
  const directory = relative(process.cwd(), join(temporaryDirectory(), 'secure'))
  const change = { directory, script: 'run.sh' }
  const { logged, close } = delivered([archive('run.sh', 'exit 0')], change)
  await vi.waitFor(() => expect(logged).toContain('run.sh ended with 0'), 40_000)
  await close()
})

test('a payload without the script is delivered all the same', async () => {
  const { logged, close } = delivered([archive('a')], { script: 'run.sh' })
  await close()
  expect(logged).toContain('payload has no run.sh')
})
