import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { largeRun } from '../testing/large-run.ts'
import { pageOf } from './page.ts'

const PIECE = /<script type="application\/gzip" id="piece-(\w+)">([^<]*)</g

/** The compressed parts of a page: markup by piece, and the index of the filter. */
const unpack = (page: string) => {
  const pieces = [...page.matchAll(PIECE)].map(([, name = '', base64 = '']) => {
    const value: unknown = JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString())
    return [name, value] as const
  })
  const index = pieces.find(([name]) => name === 'index')?.[1] as {
    readonly texts: readonly string[]
    readonly lists: readonly (readonly (readonly [readonly number[]])[])[]
  }
  const markups = pieces
    .filter(([name]) => name !== 'index')
    .flatMap(([, value]) => value as string[])
  return { index, markups }
}

const large = largeRun({ passed: 400, failed: 3, body: 2000 })
const page = pageOf(large.result, large.transcripts)
const { index, markups } = unpack(page)

const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

test('a large page contains every scenario once, plain or compressed', () => {
  const ids = [...idsIn(page), ...markups.flatMap(idsIn)]
  for (const { id, version } of large.result.scenarios)
    expect(ids.filter((one) => one === `s-verifier-${version}-${id}`)).toHaveLength(1)
  expect(new Set(ids).size).toBe(ids.length)
})

test('scenarios that did not pass are plain in the page, and passed ones are compressed', () => {
  const shown = [...page.matchAll(/<details class="scenario" data-outcome="([a-z]+)">/g)]
  expect(shown.map(([, outcome]) => outcome)).toEqual(['fail', 'fail', 'fail'])
  expect(page.match(/<ol class="transcript">/g)).toHaveLength(3)
  expect(markups.join('').match(/<details class="scenario" data-outcome="pass">/g)).toHaveLength(
    400,
  )
})

test('every link of a large page has a target, plain or compressed', () => {
  const ids = new Set([...idsIn(page), ...markups.flatMap(idsIn)])
  const targets = [page, ...markups].flatMap((text) =>
    [...text.matchAll(/<a [^>]*href="#([^"]*)"/g)].map(([, target = '']) => target),
  )
  expect(targets.filter((target) => !ids.has(target))).toEqual([])
})

test('the index has the words of every scenario once, including compressed ones', () => {
  for (const { id } of large.result.scenarios)
    expect(index.texts.filter((text) => text.startsWith(`${id} `))).toHaveLength(1)
  expect(
    index.lists
      .flat()
      .flatMap(([texts]) => texts)
      .every((at) => at < index.texts.length),
  ).toBe(true)
})

test('each list of the page has as many index items as children', () => {
  const numbers = [...page.matchAll(/ data-list="(\d+)"/g)].map(([, number]) => Number(number))
  expect(numbers.toSorted((one, other) => one - other)).toEqual(index.lists.map((_, at) => at))
  const rows = index.lists.flat().length
  const lists = page.replace(/<section id="(?:setup|overview)">[\s\S]*?<\/section>/g, '')
  const children = [lists, ...markups].flatMap(
    (text) =>
      text.match(/<details class="scenario"|<tr id="|<tr><th scope="row"|<tr><td><span/g) ?? [],
  )
  expect(rows).toBe(children.length)
})

test('without script a large page says where the passed scenarios are', () => {
  expect(page).toMatch(
    /<noscript>[^<]*<p [^>]*>[\s\S]*result\.json has its checks and observations/,
  )
})

test('with very many failures the first transcripts are plain, and the others are compressed', () => {
  const many = largeRun({ passed: 0, failed: 40, body: 150_000 })
  const failing = pageOf(many.result, many.transcripts)
  const inPage = failing.match(/<ol class="transcript">/g)?.length ?? 0
  const compressed = unpack(failing).markups.filter((text) =>
    text.includes('<ol class="transcript">'),
  )
  expect(inPage).toBeGreaterThan(5)
  expect(inPage + compressed.length).toBe(40)
  for (const text of compressed) expect(text).toContain('A'.repeat(150_000))
  expect(
    failing.match(/1 entry, compressed in this page: [^<]* transcripts\.jsonl\.gz has/g),
  ).toHaveLength(compressed.length)
})

test('with all transcripts kept, those of passing scenarios are compressed in the page', () => {
  const { result, transcripts } = largeRun({ passed: 100, failed: 0, body: 5000, keepsAll: true })
  const whole = unpack(pageOf(result, transcripts)).markups
  expect(whole.filter((text) => text.includes('<ol class="transcript">'))).toHaveLength(100)
})
