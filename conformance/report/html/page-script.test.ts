import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../../../tools/look/look.ts'
import { largeRun } from '../testing/large-run.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { sampleTranscripts } from '../testing/sample-scenarios.ts'
import { pageOf } from './page.ts'

const chromium = existsSync('/usr/bin/chromium')
const CASE = { timeout: 120_000 }

let home = ''
let browser: Browser | undefined

beforeAll(async () => {
  if (!chromium) return
  home = await mkdtemp(join(tmpdir(), 'assay-page-'))
  const large = largeRun({ passed: 400, failed: 3, body: 200 })
  const kept = largeRun({ passed: 60, failed: 40, body: 150_000, keepsAll: true })
  await writeFile(join(home, 'small.html'), pageOf(sampleResult(), sampleTranscripts()))
  await writeFile(join(home, 'large.html'), pageOf(large.result, large.transcripts))
  await writeFile(join(home, 'kept.html'), pageOf(kept.result, kept.transcripts))
  browser = await launch()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  if (home !== '') await rm(home, { recursive: true, force: true })
})

const open = async (name: string, javaScriptEnabled = true): Promise<Page> => {
  if (browser === undefined) throw new Error('there is no browser')
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  await page.goto(`file://${join(home, name)}`)
  return page
}

const PASSED = 's-verifier-3.0-made-up.area-7.case-367'

const ask = (page: Page, words: string): Promise<void> =>
  page.locator('.tools input[type=search]').fill(words)

const visibleIds = (page: Page): Promise<readonly string[]> =>
  page.locator('#scenarios details.scenario:visible > summary .id').allTextContents()

test.skipIf(!chromium)(
  'the filter finds a passing scenario that is still compressed',
  CASE,
  async () => {
    const page = await open('large.html')
    expect(await page.locator(`#${selectorOf(PASSED)}`).count()).toBe(0)
    await ask(page, 'CASE-367 3.0')
    await page.locator(`#${selectorOf(PASSED)}`).waitFor({ state: 'attached' })
    expect(await visibleIds(page)).toEqual(['made-up.area-7.case-367'])
    expect(await page.locator('#matrix tr:visible code').allTextContents()).toEqual([
      'made-up.area-7.case-367',
    ])
  },
)

test.skipIf(!chromium)(
  'a fold with many matches stays closed with their number, and shows only matches when opened',
  CASE,
  async () => {
    const page = await open('large.html')
    await ask(page, 'sample')
    const fold = page.locator('details.family').first()
    await fold.locator('summary .matches', { hasText: '400 matches' }).first().waitFor()
    expect(await visibleIds(page)).toEqual([
      'broken.area-0.case-0',
      'broken.area-1.case-1',
      'broken.area-2.case-2',
    ])
    await ask(page, 'sample case-11')
    await page
      .locator('details.family summary .matches', { hasText: '11 matches' })
      .first()
      .waitFor()
    await page.locator('details.scenario:visible').first().waitFor()
    expect(await visibleIds(page)).toHaveLength(11)
  },
)

test.skipIf(!chromium)('clearing the filter restores the page', CASE, async () => {
  const page = await open('large.html')
  await ask(page, 'case-367')
  await page.locator(`#${selectorOf(PASSED)}`).waitFor({ state: 'attached' })
  await ask(page, '')
  await page.locator('details.family:not([open])').first().waitFor()
  expect(await visibleIds(page)).toHaveLength(3)
})

test.skipIf(!chromium)('the outcome filter covers compressed requirements', CASE, async () => {
  const page = await open('small.html')
  await page.locator('.tools input[value=waived]').check()
  await page.locator('details.component[open] .matches', { hasText: '1 match' }).first().waitFor()
  expect(await page.locator('.requirements tbody tr:visible').count()).toBe(1)
  expect(await visibleIds(page)).toEqual(['registrar.agents.unknown'])
})

test.skipIf(!chromium)(
  'a cell of the overview filters, and the address keeps the filter for another reader',
  CASE,
  async () => {
    const page = await open('large.html')
    await page.locator('#overview td.o-fail a').first().click()
    await page.locator('details.family[hidden]').first().waitFor({ state: 'attached' })
    const broken = await visibleIds(page)
    expect(broken).toHaveLength(3)
    const address = page.url()
    expect(address).toContain('?filter=broken.+')
    const other = await open(address.slice(address.lastIndexOf('/') + 1))
    await other.locator('details.family[hidden]').first().waitFor({ state: 'attached' })
    expect(await visibleIds(other)).toEqual(broken)
    await ask(other, '')
    await other.locator('.tools input[value=fail]').uncheck()
    await other.locator('details.family:not([hidden])').first().waitFor()
    expect(other.url()).not.toContain('?')
  },
)

test.skipIf(!chromium)('a link to a passing scenario inserts and opens it', CASE, async () => {
  const page = await open(`large.html`)
  await page.evaluate(`location.hash = '${PASSED}'`)
  await page.locator(`#${selectorOf(PASSED)}:visible .checks`).waitFor()
  expect(await page.locator(`#${selectorOf(PASSED)}`).textContent()).toContain('status of step 2')
})

test.skipIf(!chromium)(
  'a page that is opened with a link to an entry shows the entry, compressed or not',
  CASE,
  async () => {
    for (const scenario of [
      's-verifier-3.0-broken.area-9.case-39',
      's-verifier-3.0-made-up.area-1.case-31',
    ]) {
      const page = await open(`kept.html#${scenario}-entry-1`)
      await page.locator(`#${selectorOf(scenario)}-entry-1 .inside-entry:visible`).waitFor()
    }
  },
)

test.skipIf(!chromium)('opening a fold and a scenario in it shows the checks', CASE, async () => {
  const page = await open('large.html')
  await page.locator('details.family > summary').first().click()
  const scenario = page.locator('details.family details.scenario').first()
  await scenario.locator('summary').click()
  await scenario.locator('.checks:visible').waitFor()
  expect(await scenario.textContent()).toContain('1 entry was recorded and not kept')
})

test.skipIf(!chromium)(
  'without script failures are readable, and the page says where the rest is',
  CASE,
  async () => {
    const page = await open('large.html', false)
    await page.locator('details.scenario > summary').first().click()
    expect(await page.locator('details.scenario[open] ol.transcript').count()).toBe(1)
    expect(await page.locator('.unscripted').textContent()).toContain('result.json')
    expect(await page.locator('.tools:visible').count()).toBe(0)
  },
)

/** An id as a selector: its dots are no class separators. */
function selectorOf(id: string): string {
  return id.replaceAll('.', String.raw`\.`)
}
