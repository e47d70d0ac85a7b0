import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The report could not be looked at, or is not what it should be; the message is one sentence. */
export class LookError extends Error {
  override readonly name = 'LookError'
}

/** What was seen: paths of the screenshots, and every request or console error that should not have been. */
export interface Look {
  readonly screenshots: readonly string[]
  readonly complaints: readonly string[]
}

interface View {
  readonly name: string
  readonly options: BrowserContextOptions
  /** Resolves with false when the report has nothing of the kind; then no picture is taken. */
  readonly arrange: (page: Page) => Promise<boolean>
}

const DESKTOP = { width: 1280, height: 900 }

const stay = async (): Promise<boolean> => true

/** Opens the first scenario of the outcome, and some entries of its transcript, and leaves nothing else in view. */
const openScenario = (outcome: string, entries: number) => (page: Page) =>
  page.evaluate<boolean>(`(async () => {
    const scenarios = 'details.scenario[data-outcome="${outcome}"]'
    const open = async (fold, compressed) => {
      fold.open = true
      while (fold.querySelector(compressed)) await new Promise(requestAnimationFrame)
    }
    for (const fold of document.querySelectorAll('details.family')) {
      if (!document.querySelector(scenarios)) await open(fold, '[data-list][data-piece]')
    }
    const one = document.querySelector(scenarios + ':has(.lane-tpm)') ?? document.querySelector(scenarios)
    if (!one) return false
    const family = one.closest('details.family')
    if (family) await open(family, '[data-list][data-piece]')
    await open(one, '[data-piece]')
    Array.from(one.querySelectorAll('.entry details:not(.fold)')).slice(0, ${entries}).forEach((entry) => { entry.open = true })
    for (const other of document.querySelectorAll('header, nav, main > section:not(#scenarios), .group > *, .scenario, #scenarios > h2, #scenarios > p')) {
      if (!other.contains(one)) other.hidden = true
    }
    return true
  })()`)

/** Opens the first scenario by hand, and before it the family that it is in. */
const clickFirstScenario = async (page: Page): Promise<boolean> => {
  for (const kind of ['family:has(.scenario)', 'scenario']) {
    const summary = page.locator(`details.${kind} > summary:visible`).first()
    if ((await summary.count()) > 0) await summary.click()
  }
  return true
}

/** Every way in which the report is looked at. */
export const VIEWS: readonly View[] = [
  { name: 'page', options: { viewport: DESKTOP }, arrange: stay },
  { name: 'passing', options: { viewport: DESKTOP }, arrange: openScenario('pass', 3) },
  { name: 'failing', options: { viewport: DESKTOP }, arrange: openScenario('fail', 0) },
  {
    name: 'phone',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
    arrange: stay,
  },
  {
    name: 'phone-failing',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
    arrange: openScenario('fail', 0),
  },
  { name: 'dark', options: { viewport: DESKTOP, colorScheme: 'dark' }, arrange: stay },
  {
    name: 'dark-failing',
    options: { viewport: DESKTOP, colorScheme: 'dark' },
    arrange: openScenario('fail', 0),
  },
  {
    name: 'without-script',
    options: { viewport: DESKTOP, javaScriptEnabled: false },
    arrange: clickFirstScenario,
  },
]

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1')

/** CSS pixels of a page that a picture has: with more, Chromium takes none. */
const TALLEST = 8000

/** As much of the page as there is a picture of; the report of a whole run is longer. */
const upperPart = async (page: Page) => {
  const [width, height] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  )
  return { x: 0, y: 0, width, height: Math.min(height, TALLEST) }
}

const photograph = async (
  browser: Browser,
  view: View,
  url: string,
  path: string,
): Promise<readonly string[]> => {
  const complaints: string[] = []
  const context = await browser.newContext(view.options)
  try {
    await context.route('**', (route) => {
      const wanted = route.request().url()
      if (wanted.split('#')[0] === url) return route.continue()
      complaints.push(`${view.name}: the report asked for ${wanted}`)
      return route.abort()
    })
    const page = await context.newPage()
    page.on('dialog', (dialog) => {
      complaints.push(`${view.name}: the report opened a dialog`)
      dialog.dismiss().catch(() => undefined)
    })
    page.on('console', (said) => {
      if (said.type() === 'error') complaints.push(`${view.name}: ${said.text()}`)
    })
    page.on('pageerror', (error) => complaints.push(`${view.name}: ${error.message}`))
    await page.goto(url)
    if (!(await view.arrange(page))) return complaints
    await page.evaluate('scrollTo(0, 0)')
    if (await scrollsSideways(page)) complaints.push(`${view.name}: the page scrolls sideways`)
    await page.screenshot({ path, fullPage: true, clip: await upperPart(page) })
  } finally {
    await context.close()
  }
  return complaints
}

/** Starts headless Chromium; throws `LookError` if it is not installed. */
export const launch = async (): Promise<Browser> => {
  if (!existsSync(CHROMIUM)) {
    throw new LookError(`${CHROMIUM} is missing; install the package "chromium" and look again.`)
  }
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
}

/**
 * Opens a report in headless Chromium as readers would (desk, phone, dark, without script) and takes pictures of it.
 * Every network request is stopped and becomes a complaint. Throws `LookError` when Chromium or the report is missing.
 */
export const look = async (
  reportPath: string,
  outDirectory: string,
  views: readonly View[] = VIEWS,
): Promise<Look> => {
  if (!existsSync(reportPath)) {
    throw new LookError(`There is no report at ${reportPath}; run the scenarios first.`)
  }
  await mkdir(outDirectory, { recursive: true })
  const browser = await launch()
  const url = pathToFileURL(resolve(reportPath)).href
  const screenshots: string[] = []
  const complaints: string[] = []
  try {
    for (const view of views) {
      const path = join(outDirectory, `${view.name}.png`)
      await rm(path, { force: true })
      complaints.push(...(await photograph(browser, view, url, path)))
      if (existsSync(path)) screenshots.push(path)
    }
  } finally {
    await browser.close()
  }
  return { screenshots, complaints }
}

type Print = (line: string) => void

const explain = (error: unknown, print: Print): 2 => {
  print(error instanceof LookError ? error.message : `The report could not be opened: ${error}`)
  return 2
}

/**
 * `assay look <report.html> <directory>`: prints the paths of the pictures. Exit code 0 when nothing was asked of the
 * network, 1 when something was, 2 when it could not look.
 */
export const lookCommand = async (
  reportPath: string,
  outDirectory: string,
  print: Print = console.log,
): Promise<0 | 1 | 2> => {
  try {
    const { screenshots, complaints } = await look(reportPath, outDirectory)
    for (const path of screenshots) print(relative(process.cwd(), path))
    for (const complaint of complaints) print(`complaint: ${complaint}`)
    return complaints.length === 0 ? 0 : 1
  } catch (error) {
    return explain(error, print)
  }
}
