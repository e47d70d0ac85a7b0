import { readFile } from 'node:fs/promises'
import { reasonOfSystem, SetupFault } from '../../conformance/input/fault.ts'
import { PublishedSchema } from '../../conformance/report/json/published-schema.ts'
import { shortLine } from '../../conformance/report/visible.ts'
import type { TpmState } from '../../simulator/swtpm/process.ts'
import { BUNDLE_FILE, type Bundle, LARGEST } from './bundle.ts'
import { digestOf } from './make-bundle.ts'
import { readZip } from './zip.ts'

const SCHEMA = new PublishedSchema<Bundle>('bundle.schema.json')

/** A bundle whose files are those that it lists. */
export interface OpenBundle {
  readonly bundle: Bundle
  readonly tpms: readonly TpmState[]
}

/** Reads a bundle and compares each file with its digest. Throws `SetupFault` with the file that is wrong. */
export async function openBundle(path: string): Promise<OpenBundle> {
  const files = await readZip(await readBytes(path), LARGEST).catch((cause: Error) => {
    throw damaged(path, `it is no zip archive: ${cause.message}`)
  })
  const bundle = parseBundle(path, files.get(BUNDLE_FILE))
  const listed = Object.entries(bundle.files)
  for (const [name, sha256] of listed) {
    const bytes = files.get(name)
    if (bytes === undefined) throw damaged(path, `${name} is missing`)
    if (digestOf(bytes) !== sha256) throw damaged(path, `${name} is not what was packed`)
  }
  const extra = [...files.keys()].find(
    (name) => name !== BUNDLE_FILE && bundle.files[name] === undefined,
  )
  if (extra !== undefined) throw damaged(path, `${extra} was added`)
  const bytesOf = (name: string): Uint8Array => {
    const bytes = files.get(name)
    if (bytes === undefined) throw damaged(path, `${name} is missing`)
    return bytes
  }
  const tpms = bundle.tpms.map(({ permanent, volatile }) => ({
    permanent: bytesOf(permanent),
    volatile: bytesOf(volatile),
  }))
  return { bundle, tpms }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new SetupFault(`${path} cannot be read: ${reasonOfSystem(cause)}`, {
      next: 'give a file that assay bundle wrote',
      cause,
    })
  }
}

function damaged(path: string, why: string): SetupFault {
  return new SetupFault(`${path} is not a bundle as it was written: ${shortLine(why, 300)}`, {
    next: 'ask for the file again; nothing was run',
  })
}

function parseBundle(path: string, bytes: Uint8Array | undefined): Bundle {
  if (bytes === undefined) throw damaged(path, `${BUNDLE_FILE} is missing`)
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch {
    throw damaged(path, `${BUNDLE_FILE} is not JSON`)
  }
  if (SCHEMA.fits(value)) return value
  throw damaged(path, `${BUNDLE_FILE}, ${SCHEMA.problem()}`)
}
