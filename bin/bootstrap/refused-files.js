import { Stop } from './stop.js'

/** What the system says to a file that cannot be written or read, which is no defect of Assay. */
const REFUSALS = [
  'ENOSPC',
  'EDQUOT',
  'EEXIST',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'ENAMETOOLONG',
]

/**
 * The sentence for such an error, in the system's own words: `cannot create /x/out: read-only file system`; undefined
 * for other errors.
 * @param {NodeJS.ErrnoException & { dest?: string }} error
 */
export function refusalOf({ code = '', message, path, dest, syscall }) {
  // In /proc no directory can be made.
  const isRefusal = REFUSALS.includes(code) || (code === 'ENOENT' && syscall === 'mkdir')
  if (!isRefusal) return undefined
  const [, reason, call = 'use'] = /^\w+: ([^,]+), (\w+)/.exec(message) ?? []
  const what = dest ?? path ?? 'a file'
  return new Stop(
    `cannot ${call.startsWith('mkd') ? 'create' : call} ${what}: ${reason ?? message}`,
    'free disk space, correct the permissions, or name another directory',
  )
}
