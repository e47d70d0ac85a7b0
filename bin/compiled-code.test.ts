import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type Checkout, linkPackages, makeCheckout } from './test-checkout.ts'

/** A checkout with packages, whose reference is `main`. */
function checkoutWith(main: string): Checkout {
  const checkout = makeCheckout()
  linkPackages(checkout)
  checkout.write('conformance/cli.ts', ENDING)
  checkout.write('reference/main.ts', main)
  return checkout
}

const ENDING = 'export async function main(): Promise<number> {\n  return 0\n}\n'

/** Files with compiled code of a checkout. */
function filesOf({ root }: Checkout): readonly string[] {
  const dist = join(root, 'dist')
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.cache')).map((name) => join(dist, name))
}

/** Their names without the version of Node, and when each was written. */
function cachesOf(checkout: Checkout): Record<string, number> {
  return Object.fromEntries(
    filesOf(checkout).map((file) => [
      /[^/]+-(?:started|ended)/.exec(file)?.[0] ?? file,
      statSync(file).mtimeMs,
    ]),
  )
}

test.each(['verifier', 'registrar'])(
  'a %s takes the compiled code of an earlier one',
  async (verb) => {
    const checkout = checkoutWith(ENDING)
    await checkout.node('assay.js', verb)
    const caches = cachesOf(checkout)
    expect(Object.keys(caches)).toEqual([`${verb}-ended`])
    await checkout.node('assay.js', verb)
    // V8 would have rejected it, and it would have been written again, if the flags were others.
    expect(cachesOf(checkout)).toEqual(caches)
  },
)

/** Goes on until its compiled code is kept, if that is asked. */
const WAITING = `import { readdirSync } from 'node:fs'
export async function main([, word]: readonly string[]): Promise<number> {
  const dist = new URL('../dist', process.env.MAIN)
  const isKept = () => readdirSync(dist, { recursive: true }).some((name) => String(name).includes('-started-'))
  while (word === 'wait' && !isKept()) await new Promise((resolve) => setTimeout(resolve, 20))
  return 0
}
`

test('the compiled code of a process that goes on is kept after its start, and taken before any other', async () => {
  const checkout = checkoutWith(WAITING)
  checkout.setting('MAIN', pathToFileURL(join(checkout.root, 'bin/assay.js')).href)
  await checkout.node('assay.js', 'verifier')
  await checkout.node('assay.js', 'verifier', 'wait')
  expect(new Set(Object.keys(cachesOf(checkout)))).toEqual(
    new Set(['verifier-ended', 'verifier-started']),
  )
  // A process that took this one would find it wrong, and write it again at its end.
  const [ended = ''] = filesOf(checkout).filter((file) => file.includes('-ended-'))
  writeFileSync(ended, 'no code')
  await checkout.node('assay.js', 'verifier')
  expect(readFileSync(ended, 'utf8')).toBe('no code')
})
