// An adapter of `assay vectors` for tpm2_checkquote of tpm2-tools: it judges the quote alone, so it skips evidence with logs and
// their policies, and does not look at the values that `tpm_policy` allows. `assay vectors --adapter 'node tools/vectors/adapters/tpm2-checkquote.js'`
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const directory = mkdtempSync(join(tmpdir(), 'assay-checkquote-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

/** Members that a quote alone does not answer for. */
const OTHERS = ['ima_measurement_list', 'mb_list', 'mb_log', 'runtime_policy', 'mb_policy']

/** @param {string} name @param {Uint8Array} bytes */
function file(name, bytes) {
  const path = join(directory, name)
  writeFileSync(path, bytes)
  return path
}

/** @param {Record<string, unknown>} body */
function answerTo({ quote, nonce, hash_alg, tpm_ak, ...rest }) {
  const other = OTHERS.find((name) => name in rest)
  if (other !== undefined) return { skip: `tpm2_checkquote does not read ${other}` }
  if (typeof quote !== 'string' || typeof nonce !== 'string') return { error: 'not a text' }
  const parts = quote.slice(1).split(':')
  if (!quote.startsWith('r') || parts.length !== 3)
    return { error: 'not r, and three parts with colons between them' }
  const names = ['message', 'signature', 'pcrs', 'ak']
  const [m = '', s = '', f = '', u = ''] = [...parts, String(tpm_ak)].map((text, at) =>
    file(String(names[at]), Buffer.from(text, 'base64')),
  )
  const words = ['-u', u, '-m', m, '-s', s, '-f', f, '-g', String(hash_alg)]
  const result = spawnSync('tpm2_checkquote', [...words, '-q', Buffer.from(nonce).toString('hex')])
  if (result.error) throw result.error
  return result.status === 0
    ? { valid: true }
    : {
        valid: false,
        failures: [
          { type: 'tpm2_checkquote', context: String(result.stderr).replaceAll(directory, '') },
        ],
      }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(answerTo(JSON.parse(line)))}\n`)
