import { concat } from '../../bytes/writer.ts'
import { sizeOf } from './pack.ts'
import type { Data, Input } from './target.ts'

/** Most attempts unless told otherwise; an input is made small, not smallest. */
const MAX_ATTEMPTS = 4000

/** Smaller inputs than this are small enough to be cut at every byte. */
const WHOLE_LENGTHS = 64

/**
 * Makes an input smaller as long as it `shows` the same: members are set back to those of the honest input it came
 * from, then chunks of bytes and characters are taken out, larger ones first.
 */
export function minimise(
  input: Input,
  honest: readonly Input[],
  shows: (input: Input) => boolean,
  most = MAX_ATTEMPTS,
): Input {
  let attempts = 0
  const keeps = (candidate: Input) => attempts++ < most && shows(candidate)
  const base = honest[input.of]
  return cutMembers(resetMembers(input, base, keeps), base, keeps)
}

function resetMembers(
  input: Input,
  base: Input | undefined,
  keeps: (candidate: Input) => boolean,
): Input {
  let smallest = input
  for (const member of Object.keys({ ...input, ...base })) {
    const candidate = { ...smallest, [member]: base?.[member] }
    if (base && smallest[member] !== base[member] && keeps(candidate)) smallest = candidate
  }
  return smallest
}

/** What is as in the honest input stays so: it is understood already. */
function cutMembers(
  input: Input,
  base: Input | undefined,
  keeps: (candidate: Input) => boolean,
): Input {
  let smallest = input
  for (const member of Object.keys(input).filter((each) => input[each] !== base?.[each])) {
    const put = (value: Data): Input => ({ ...smallest, [member]: value })
    smallest = put(cut(smallest[member], (value) => keeps(put(value))))
  }
  return smallest
}

/** A value with as much taken out as can be. */
function cut(value: Data, keeps: (value: Data) => boolean): Data {
  if (value instanceof Uint8Array)
    return cutChunks(
      value,
      (from, to, all) => concat(all.subarray(0, from), all.subarray(to)),
      keeps,
    )
  if (typeof value === 'string')
    return cutChunks(value, (from, to, all) => all.slice(0, from) + all.slice(to), keeps)
  if (Array.isArray(value))
    return cutChunks(
      value as readonly Data[],
      (from, to, all) => [...all.slice(0, from), ...all.slice(to)],
      keeps,
    )
  return value
}

function cutChunks<T extends Data & { readonly length: number }>(
  value: T,
  without: (from: number, to: number, all: T) => T,
  keeps: (value: Data) => boolean,
): T {
  let smallest = value
  const least = sizeOf(value) > 16 * WHOLE_LENGTHS ? 8 : 1
  for (let size = value.length >> 1; size >= least; size >>= 1)
    for (let at = smallest.length - size; at >= 0; at -= size) {
      const candidate = without(at, at + size, smallest)
      if (keeps(candidate)) smallest = candidate
    }
  return smallest
}
