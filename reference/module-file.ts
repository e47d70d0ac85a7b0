import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = new URL('.', import.meta.url).href
const BUILT = new URL('../dist/reference/', import.meta.url)

/**
 * The file of a module that another process or a thread is to run: JavaScript in a package, TypeScript in a checkout, unless
 * `ASSAY_BUILT` says, as it does to the command, that what was built there is of these sources.
 * @param name without an extension, from `beside`
 * @param beside the address of the module that asks
 */
export function moduleFile(name: string, beside: string): string {
  const { href } = new URL(name, beside)
  const extension = extname(beside)
  const isBuilt = extension === '.ts' && (process.env['ASSAY_BUILT'] ?? '') !== ''
  const address = isBuilt
    ? new URL(`${href.slice(SOURCES.length)}.js`, BUILT)
    : new URL(`${href}${extension}`)
  return fileURLToPath(address)
}

/** What Node has to be told before it can run a file. */
export function loaderFor(file: string): readonly string[] {
  return extname(file) === '.ts' ? ['--import', 'tsx'] : []
}
