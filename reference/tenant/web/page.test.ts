import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AGENT_ID } from '../testing/stub-agent.ts'
import { AGENT, IP, webScene } from '../testing/web-scene.ts'

const CHROMIUM = '/usr/bin/chromium'
const isMissing = !existsSync(CHROMIUM)

let browser: Browser | undefined

beforeAll(async () => {
  if (isMissing) return
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  browser = await chromium.launch({ executablePath: CHROMIUM, args })
}, 120_000)

afterAll(async () => browser?.close())

type Scene = Awaited<ReturnType<typeof webScene>>

/** The page, as a browser with the administrator's certificate shows it; what the browser complains of is collected. */
async function open({ port, directory }: Scene, viewport = { width: 1280, height: 900 }) {
  if (browser === undefined) throw new Error('there is no browser')
  const origin = `https://127.0.0.1:${port}`
  const certPath = join(directory, 'client-cert.crt')
  const keyPath = join(directory, 'client-private.pem')
  const context = await browser.newContext({
    ...{ viewport, ignoreHTTPSErrors: true, locale: 'en-GB' },
    clientCertificates: [{ origin, certPath, keyPath }],
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) problems.push(`requested ${request.url()}`)
  })
  await page.goto(origin)
  await page.locator('#agents tbody tr').first().waitFor()
  return { page, problems }
}

const rowOf = (page: Page, id = AGENT_ID) => page.locator(`tr[data-agent="${id}"]`)

const button = (page: Page, name: string) => rowOf(page).getByRole('button', { name })

const text = (page: Page, selector: string) => page.locator(selector).innerText()

test.skipIf(isMissing)(
  'an agent is added, reactivated and deleted on the page, and the log grows',
  async () => {
    const scene = await webScene()
    const { page, problems } = await open(scene)
    await rowOf(page).getByText('registered').waitFor()
    await button(page, 'Add…').click()
    expect(await page.getByLabel('Agent id').inputValue()).toBe(AGENT_ID)
    expect(await page.getByLabel('IP address').inputValue()).toBe('127.0.0.1')
    await page.getByRole('button', { name: 'Add agent' }).click()
    await button(page, 'Delete').waitFor()
    await page.locator('#log').getByText('added to the verifier').waitFor()
    // The stub sends no integrity quote.
    await page.locator('tr.failing').waitFor()
    expect(await text(page, '#summary')).toBe('1 agent, 1 failing')
    await button(page, 'Reactivate').click()
    await page.locator('#log').getByText('reactivated').waitFor()
    await scene.web(`${AGENT}/stop`, { method: 'PUT' })
    await rowOf(page).getByText('stopped').waitFor()
    expect(await text(page, '#summary')).toBe('1 agent')
    await button(page, 'Delete').click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await rowOf(page).innerText()).toContain('stopped')
    await button(page, 'Delete').click()
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await rowOf(page).getByText('registered').waitFor()
    expect(problems).toEqual([])
  },
)

test.skipIf(isMissing)('an agent that attests is stopped on the page', async () => {
  const scene = await webScene()
  const body = { ak_tpm: scene.agent.registration.aik_tpm, tpm_policy: '{}' }
  const path = `/v2.5/agents/${AGENT_ID}`
  expect(await scene.ask('verifier', path, { method: 'POST', body, admin: true })).toMatchObject({
    status: 200,
  })
  const { page, problems } = await open(scene)
  await rowOf(page).getByText('get_quote, PENDING').waitFor()
  await button(page, 'Stop').click()
  await rowOf(page).getByText('stopped').waitFor()
  await page.locator('#log').getByText(`agent ${AGENT_ID} stopped`).waitFor()
  expect(problems).toEqual([])
})

test.skipIf(isMissing)(
  'files that are chosen on the page reach the agent as its payload',
  async () => {
    const scene = await webScene()
    const { page } = await open(scene)
    await button(page, 'Add…').click()
    await page.getByLabel('Payload').selectOption('file')
    await page.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'code.txt', mimeType: 'text/plain', buffer: Buffer.from('the launch code') },
    })
    await page.getByRole('button', { name: 'Add agent' }).click()
    await button(page, 'Delete').waitFor()
    expect(scene.agent.opened.payload).toBe('the launch code')
  },
)

test.skipIf(isMissing)('a refusal is shown as its sentence', async () => {
  const scene = await webScene()
  const { page } = await open(scene)
  await page.getByLabel('Agent id').fill(AGENT_ID)
  await page.getByLabel('IP address').fill('no address')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await page.locator('#trouble:visible').waitFor()
  expect(await text(page, '#trouble')).toMatch(/^\/ip: /)
  expect(await page.getByLabel('IP address').inputValue()).toBe('no address')
})

test.skipIf(isMissing)('nothing that a server says is read as markup', async () => {
  const scene = await webScene()
  const evil = '<b id=evil>x</b>'
  const { page } = await open(scene)
  await page.route('**/v2/agents/', (route) =>
    route.fulfill({
      json: { code: 200, status: evil, results: { uuids: [evil, '"><b id=evil>'] } },
    }),
  )
  await page.route('**/v2/logs/**', (route) =>
    route.fulfill({ json: { code: 200, status: evil, results: { log: [evil], pos: 1000 } } }),
  )
  await page.locator('#agents').getByText(evil, { exact: true }).waitFor()
  await page.locator('#log').getByText(evil).first().waitFor()
  expect(await page.locator('#evil').count()).toBe(0)
})

test.skipIf(isMissing)('a server that is away is reported until it is back', async () => {
  const scene = await webScene()
  const { page } = await open(scene)
  await page.route('**/v2/**', (route) => route.abort())
  await page.locator('#trouble', { hasText: 'does not answer' }).waitFor()
  await page.unroute('**/v2/**')
  await page.locator('#trouble').waitFor({ state: 'hidden' })
  expect(await text(page, '#summary')).toBe('1 agent')
})

test.skipIf(isMissing)(
  'of many agents fifty are shown, and the filter finds the others',
  async () => {
    const scene = await webScene()
    const { page } = await open(scene)
    const uuids = Array.from({ length: 120 }, (_, at) => `agent-${String(at).padStart(3, '0')}`)
    await page.route('**/v2/agents/', (route) =>
      route.fulfill({ json: { code: 200, status: 'Success', results: { uuids } } }),
    )
    await page.route('**/v2/agents/agent-000', (route) =>
      route.fulfill({ json: { code: 200, results: { added: true, state: 'failed' } } }),
    )
    await page.locator('#rest', { hasText: '70 more' }).waitFor()
    await page.locator('tr.failing').waitFor()
    expect(await page.locator('#agents tbody tr').count()).toBe(50)
    await page.getByLabel('Filter').fill('AGENT-11')
    expect(await page.locator('#agents tbody th').allInnerTexts()).toEqual(uuids.slice(110))
    expect(await text(page, '#summary')).toBe('120 agents, 1 failing')
  },
)

test.skipIf(isMissing)('the page fits a phone', async () => {
  const scene = await webScene()
  await scene.web(AGENT, { method: 'POST', body: IP })
  const { page } = await open(scene, { width: 360, height: 740 })
  await page.locator('tr.failing').waitFor()
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(360)
  for (const one of await page.getByRole('button').all())
    if (await one.isVisible()) expect((await one.boundingBox())?.height).toBeGreaterThanOrEqual(40)
})
