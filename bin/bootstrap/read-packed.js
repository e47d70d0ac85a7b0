import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * The text of a file of a build; a package contains it compressed.
 * @param {string} file
 */
export function readPacked(file) {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
    : gunzipSync(readFileSync(`${file}.gz`)).toString()
}
