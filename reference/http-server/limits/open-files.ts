import { readFileSync } from 'node:fs'

/** How many files this process may have open; undefined if the limit is unknown or unlimited. */
export function openFileLimit(file = '/proc/self/limits'): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(textOf(file))?.[1]
  return soft === undefined ? undefined : Number(soft)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
