import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'

const ROOT = packageRoot()
const README_MAX_BYTES = 6 * 1024
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Links of a document to files of the repository. */
function linksOf(file: string): readonly string[] {
  const targets = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchor of a heading: lower case, without punctuation, with hyphens for spaces. */
function anchorsOf(file: string): readonly string[] {
  const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

function isBroken(file: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const linked = path === '' ? file : join(dirname(file), path)
  if (!existsSync(join(ROOT, linked))) return true
  return anchor !== undefined && !anchorsOf(linked).includes(anchor)
}

test.each(DOCUMENTS)('every link of %s leads to an existing file and heading', (file) => {
  expect(linksOf(file).filter((target) => isBroken(file, target))).toEqual([])
})

test('README.md has at most 6 KB and links to every guide', () => {
  expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(README_MAX_BYTES)
  const guides = DOCUMENTS.filter((file) => file.startsWith('docs/'))
  const linked = DOCUMENTS.flatMap((file) =>
    linksOf(file).map((target) => join(dirname(file), target.split('#')[0] ?? '')),
  )
  expect(guides.filter((file) => !linked.includes(file))).toEqual([])
})
