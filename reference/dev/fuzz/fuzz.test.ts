import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { now } from './clocks.ts'
import { coverOf, entryOf, inputOf } from './corpus.ts'
import { derive, rederive, type Sample } from './derive.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import { minimise } from './minimise.ts'
import { packInput, sizeOf, unpackInput } from './pack.ts'
import { makeRandom } from './random.ts'
import { plain } from './says.ts'
import type { Input, Target } from './target.ts'
import { quoteTarget } from './targets/quote.ts'
import { countWork } from './work.ts'

const target = quoteTarget()

function texts({ kept }: FuzzReport): readonly string[] {
  return kept.map(({ input, lineage }) => `${lineage.join(':')} ${packInput(input)}`)
}

test('the same seed gives the same runs, another seed others', async () => {
  const [one, same, other] = [
    await fuzz(target, { seed: 5, runs: 800, now }),
    await fuzz(target, { seed: 5, runs: 800, now }),
    await fuzz(target, { seed: 6, runs: 800, now }),
  ]
  expect(one.kept.length).toBeGreaterThan(40)
  expect(texts(same)).toEqual(texts(one))
  expect(texts(other)).not.toEqual(texts(one))
})

test('a run is repeated alone by its number and those it went on from', async () => {
  const { kept } = await fuzz(target, { seed: 9, runs: 1500, now })
  const derivation = { target, seed: 9, initial: target.honest }
  const late = kept.filter(({ lineage }) => lineage.length > 1)
  expect(late.length).toBeGreaterThan(10)
  for (const { input, lineage } of late)
    expect(packInput(rederive(derivation, lineage))).toBe(packInput(input))
})

test('half of the runs go on from what earlier ones have found', () => {
  const found: Sample[] = [{ input: { ...target.honest[0], of: 0 }, lineage: [3] }]
  const derivation = { target, seed: 1, initial: target.honest }
  const lengths = Array.from({ length: 400 }, (_, run) => {
    return derive(derivation, found, run + 10).lineage.length
  })
  const on = lengths.filter((length) => length === 2).length
  expect(on).toBeGreaterThan(150)
  expect(on).toBeLessThan(250)
})

test('random numbers of neighbouring runs have nothing in common', () => {
  const firsts = Array.from({ length: 4000 }, (_, run) => makeRandom(7, run).below(16))
  const counts = firsts.reduce(
    (all, each) => all.with(each, (all[each] ?? 0) + 1),
    Array(16).fill(0),
  )
  for (const count of counts) expect(Math.abs(count - 250)).toBeLessThan(80)
})

test('an input is made as small as it can be and still shows the same', () => {
  const honest: Input = { of: 0, name: 'plain', bytes: new Uint8Array(8) }
  const bytes = new Uint8Array(3000)
  bytes.set([0xba, 0xad], 1717)
  const shows = (input: Input) =>
    input['bytes'] instanceof Uint8Array && Buffer.from(input['bytes']).includes('baad', 0, 'hex')
  const smallest = minimise({ of: 0, name: 'odd', bytes }, [honest], shows)
  expect(smallest['name']).toBe('plain')
  expect(shows(smallest)).toBe(true)
  expect(sizeOf(smallest['bytes'])).toBeLessThan(16)
})

test('an input survives being packed', () => {
  const input: Input = {
    of: 2,
    bytes: Uint8Array.of(0, 255),
    before: [2n ** 64n - 1n, 3, 0],
    name: '{"$base64":1}',
    inner: { list: [null, true, 'x'] },
  }
  expect(unpackInput(packInput(input))).toEqual(input)
})

test('a corpus entry says what changed, and gives the whole input back', () => {
  const [honest] = target.honest
  if (!honest) throw new Error('no honest quote')
  const { subject: _, ...rest } = honest
  const changed = { ...rest, nonce: Uint8Array.of(1) }
  const entry = entryOf(target, changed, { verdict: 'fail', says: [] })
  expect(entry.change.length).toBeLessThan(80)
  expect(inputOf(target, entry)).toEqual(changed)
})

test('a corpus has everything that was said, in its smallest inputs', async () => {
  const { kept } = await fuzz(target, { seed: 3, runs: 2000, now })
  const cover = coverOf(target, kept)
  const mutated = kept.filter(({ lineage }) => lineage.length > 0)
  const said = new Set(mutated.flatMap(({ observation }) => observation.says))
  expect(cover.length).toBeLessThan(mutated.length)
  if (cover.length < 96) expect(new Set(cover.flatMap(({ says }) => says))).toEqual(said)
})

test('a message is the same whatever numbers and texts are in it', () => {
  expect(plain('entry 17: "a\\"b" is sha256:00112233445566, 0xff44 at byte 3')).toBe(
    plain('entry 4: "" is sha256:ffeeddccbbaa99, 0x0 at byte 12345'),
  )
  expect(plain('no bank')).not.toBe(plain('no PCR'))
})

test('work is counted by the bytes that are hashed, until the counter is removed', () => {
  const work = countWork()
  hash('sha1', 'x'.repeat(1000))
  expect(work.hashed()).toBe(1064)
  work.restart()
  expect(work.hashed()).toBe(0)
  work.remove()
  hash('sha1', 'x')
  expect(work.hashed()).toBe(0)
})

test('a crash is found, told by its error, and kept as the smallest input', async () => {
  const broken: Target = {
    name: 'broken',
    honest: [{ of: 0, bytes: Uint8Array.of(1, 2, 3, 4) }],
    mutate: (input, _, random) => ({ ...input, bytes: random.bytes(random.below(40)) }),
    judge({ bytes }) {
      if (bytes instanceof Uint8Array && bytes.includes(0x80)) throw new RangeError('too much')
      return { verdict: 'pass', says: [] }
    },
  }
  const { found } = await fuzz(broken, { seed: 1, runs: 400, now })
  expect(found).toHaveLength(1)
  expect(found[0]?.fault).toMatchObject({ kind: 'crash' })
  expect(found[0]?.fault.message).toMatch(/^RangeError: too much/)
  expect(found[0]?.input['bytes']).toEqual(Uint8Array.of(0x80))
})
