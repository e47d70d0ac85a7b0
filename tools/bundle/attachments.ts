import type { Recording } from './recording.ts'

/** A file of a bundle. */
export interface BundleFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Shorter texts can be read where they are. */
const LONG = 1000

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The long texts of a JSON value, with their places: `data.attributes.runtime_policy`. */
function* longTexts(value: unknown, place: readonly string[]): Generator<[string, string]> {
  if (typeof value === 'string') {
    if (value.length >= LONG) yield [place.join('.'), value]
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* longTexts(inner, [...place, name])
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The file of a long text: what it encodes if it is base64, and the text itself otherwise. */
function fileOf(path: string, text: string): BundleFile {
  if (!BASE64.test(text)) return { path: `${path}.txt`, bytes: Buffer.from(text) }
  const bytes = Buffer.from(text, 'base64')
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes) && !bytes.includes(0)
  return { path: `${path}.${isText ? 'txt' : 'bin'}`, bytes }
}

/**
 * The logs, policies and other long values of requests and responses, decoded, each in a file of its own:
 * `evidence/012-request-data.attributes.runtime_policy.txt`.
 */
export function attachmentsOf({ kept }: Recording): readonly BundleFile[] {
  return kept.transcript.flatMap((entry, at) => {
    if (entry.lane !== 'wire') return []
    const { request, response } = entry
    const bodies = { request: request.body, response: response?.body }
    return Object.entries(bodies).flatMap(([side, body = '']) =>
      [...longTexts(parsed(body), [])].map(([place, text]) => {
        const name = `${String(at + 1).padStart(3, '0')}-${side}-${place}`
        return fileOf(`evidence/${name.replace(/[^\w.-]/g, '_').slice(0, 120)}`, text)
      }),
    )
  })
}
