import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How the mounts of this system are read, and ended. */
interface Mounts {
  /** The text of /proc/self/mountinfo (man 5 proc_pid_mountinfo). */
  read(): string
  /** Throws if the file system stays mounted. */
  unmount(point: string): void
}

const SYSTEM: Mounts = {
  read: () => readFileSync('/proc/self/mountinfo', 'utf8'),
  unmount: (point) => void execFileSync('umount', ['--', point], { stdio: 'ignore' }),
}

/** The fifth field of a line is the mount point. */
const MOUNT_POINT = 4

/** Blanks, tabs, newlines and backslashes are octal there. */
function unescaped(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

/**
 * Unmounts every file system below a directory, the newest first, such as the tmpfs that an agent mounts for its secrets
 * and leaves behind. Returns the mount points that could not be unmounted.
 */
export function unmountBelow(directory: string, mounts: Mounts = SYSTEM): readonly string[] {
  const points = mounts
    .read()
    .split('\n')
    .map((line) => unescaped(line.split(' ')[MOUNT_POINT] ?? ''))
    .filter((point) => point.startsWith(`${directory}/`))
  return points.toReversed().filter((point) => {
    try {
      mounts.unmount(point)
      return false
    } catch {
      return true
    }
  })
}
