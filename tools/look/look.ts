import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { reasonOfSystem, SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'

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

/** Paths of the screenshots, and a sentence for each network request, dialog, console error or layout problem. */
interface Look {
  readonly screenshots: readonly string[]
  readonly problems: readonly string[]
}

interface View {
  readonly name: string
  readonly options: BrowserContextOptions
  /** Resolves to false if the report has no such scenario; then no screenshot is taken. */
  readonly arrange: (page: Page) => Promise<boolean>
}

const DESKTOP = { width: 1280, height: 900 }

const stay = async (): Promise<boolean> => true

/** Opens the first scenario with the outcome and some entries of its transcript, and hides everything else. */
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

/** Opens the first scenario by clicks, after the family that contains it. */
const clickFirstScenario = async (page: Page): Promise<boolean> => {
  for (const kind of ['family:has(.scenario)', 'scenario']) {
    const summary = page.locator(`details.${kind} > summary:visible`).first()
    if ((await summary.count()) > 0) await summary.click()
  }
  return true
}

/** All views of the report. */
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

/** Maximum height of a screenshot in CSS pixels: Chromium fails for higher pages. */
const TALLEST = 8000

/** The part of the page that fits into a screenshot; the report of a whole run is longer. */
const upperPart = async (page: Page) => {
  const [width, height] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  )
  return { x: 0, y: 0, width, height: Math.min(height, TALLEST) }
}

const takeScreenshot = async (
  browser: Browser,
  view: View,
  url: string,
  path: string,
): Promise<readonly string[]> => {
  const problems: string[] = []
  const context = await browser.newContext(view.options)
  try {
    await context.route('**', (route) => {
      const wanted = route.request().url()
      if (wanted.split('#')[0] === url) return route.continue()
      problems.push(`${view.name}: the report requested ${wanted}`)
      return route.abort()
    })
    const page = await context.newPage()
    page.on('dialog', (dialog) => {
      problems.push(`${view.name}: the report opened a dialog`)
      dialog.dismiss().catch(() => undefined)
    })
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${view.name}: ${message.text()}`)
    })
    page.on('pageerror', (error) => problems.push(`${view.name}: ${error.message}`))
    await page.goto(url)
    if (!(await view.arrange(page))) return problems
    await page.evaluate('scrollTo(0, 0)')
    if (await scrollsSideways(page)) problems.push(`${view.name}: the page scrolls horizontally`)
    await page.screenshot({ path, fullPage: true, clip: await upperPart(page) })
  } finally {
    await context.close()
  }
  return problems
}

/** Starts headless Chromium. @throws {SetupFault} it is not installed */
export const launch = async (): Promise<Browser> => {
  if (!existsSync(CHROMIUM))
    throw new SetupFault(`there is no ${CHROMIUM}, which takes the screenshots`, {
      next: 'install it: apt install chromium (Debian), dnf install chromium (Fedora), apk add chromium (Alpine)',
    })
  const { chromium } = await import('playwright-core').catch((cause) => {
    throw new SetupFault('the package playwright-core is not installed', {
      ...{ next: 'npm install playwright-core', cause },
    })
  })
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
}

/**
 * Opens a report in headless Chromium in several views (desktop, phone, dark, without script) and takes screenshots.
 * Every network request is blocked and listed as a problem.
 *
 * @throws {SetupFault} Chromium is missing, or the file is no report
 */
export const look = async (
  reportPath: string,
  outDirectory: string,
  views: readonly View[] = VIEWS,
): Promise<Look> => {
  requireHtml(reportPath)
  makeDirectory(outDirectory)
  const browser = await launch()
  const url = pathToFileURL(resolve(reportPath)).href
  const screenshots: string[] = []
  const problems: string[] = []
  try {
    for (const view of views) {
      const path = join(outDirectory, `${view.name}.png`)
      await rm(path, { force: true })
      problems.push(...(await takeScreenshot(browser, view, url, path)))
      if (existsSync(path)) screenshots.push(path)
    }
  } finally {
    await browser.close()
  }
  return { screenshots, problems }
}

function requireHtml(path: string): void {
  const next = 'give the report.html that assay run wrote'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const why = `the report ${path} cannot be read: ${reasonOfSystem(cause)}`
    throw new SetupFault(why, { next, cause })
  }
  if (!/^\s*</.test(text)) throw new SetupFault(`${path} is no HTML page`, { next })
}

/** `assay look`: prints the paths of the screenshots. Returns 0 if the report has no problems, else 1. */
export const lookCommand = async (reportPath: string, outDirectory: string): Promise<0 | 1> => {
  const { screenshots, problems } = await look(reportPath, outDirectory)
  for (const path of screenshots) console.log(relative(process.cwd(), path))
  for (const problem of problems) console.log(`problem: ${problem}`)
  return problems.length === 0 ? 0 : 1
}
