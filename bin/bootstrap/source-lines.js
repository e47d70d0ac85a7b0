import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPacked } from './read-packed.js'

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map()

/** @param {string} file */
function mapOf(file) {
  if (maps.has(file)) return maps.get(file)
  let map
  try {
    map = new SourceMap(JSON.parse(readPacked(`${file}.map`)))
  } catch {
    // Without a source map the position in the build is kept.
  }
  maps.set(file, map)
  return map
}

/**
 * @param {NodeJS.CallSite} frame
 * @param {string} build
 * @param {string} root
 */
function describeFrame(frame, build, root) {
  const text = String(frame)
  const file = frame.getFileName() ?? ''
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
  if (dirname(file) !== build || line === null || column === null) return text
  const found = mapOf(file)?.findEntry(line - 1, column - 1)
  if (found === undefined || !('originalSource' in found)) return text
  const source = relative(root, resolve(build, found.originalSource))
  const place = `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  return text.replace(`${file}:${line}:${column}`, place)
}

/**
 * Makes stack traces name files and lines of the sources instead of the build. Reads a source map when the first stack
 * trace needs it; Node's own option reads them at every start.
 * @param {string} build the folder of the build
 * @param {URL} root the folder of package.json
 */
export function nameSourceLines(build, root) {
  const top = fileURLToPath(root)
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `\n    at ${describeFrame(frame, build, top)}`)
    return `${Error.prototype.toString.call(error)}${lines.join('')}`
  }
}
