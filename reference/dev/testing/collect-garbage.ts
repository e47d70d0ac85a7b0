import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage now, in a process that was started without `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
