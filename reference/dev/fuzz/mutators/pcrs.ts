import type { Random } from '../random.ts'
import type { Input } from '../target.ts'
import { swellBytes } from './bytes.ts'
import { mutateJson } from './json.ts'
import { splitPcrBlob } from './layouts.ts'
import { mutateStructure } from './quote.ts'

/** Claimed PCR values in one of the two forms; the other one is there to be changed into. */
export interface PcrsRun extends Input {
  readonly form: string
  readonly blob: Uint8Array
  /** JSON text of `subject_data` */
  readonly subject: string
  /** bank that the object form speaks of */
  readonly bank: string
}

const BANKS = [
  'sha1',
  'sha256',
  'sha384',
  'sha512',
  'sm3_256',
  'sha3_256',
  '',
  '__proto__',
  'SHA256',
]

/** One to three changes of PCR values. */
export function mutatePcrsRun(run: PcrsRun, other: PcrsRun, random: Random): PcrsRun {
  let changed = run
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left--)
    changed = step(changed, other, random)
  return random.once(4096) ? { ...changed, blob: swellBytes(changed.blob, random) } : changed
}

function step(run: PcrsRun, other: PcrsRun, random: Random): PcrsRun {
  if (random.once(40)) return { ...run, bank: random.pick(BANKS) }
  if (run.form === 'blob')
    return { ...run, blob: mutateStructure(run.blob, other.blob, splitPcrBlob, random) }
  if (random.once(4)) {
    const blob = mutateStructure(run.blob, other.blob, splitPcrBlob, random)
    return { ...run, blob, subject: JSON.stringify(Buffer.from(blob).toString('base64')) }
  }
  return { ...run, subject: mutateJson(run.subject, other.subject, random) }
}
