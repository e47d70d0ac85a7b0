import { expect, test } from 'vitest'
import { unmountBelow } from './unmount-below.ts'

const MOUNT_INFO = [
  '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '31 22 0:26 / /runs/one/agent/secure rw,relatime shared:9 - tmpfs tmpfs rw,size=1024k',
  '32 31 0:27 / /runs/one/agent/secure/with\\040blank rw - tmpfs tmpfs rw',
  '33 22 0:28 / /runs/one-more/secure rw - tmpfs tmpfs rw',
  '34 22 0:29 / /runs/one rw - tmpfs tmpfs rw',
  '',
].join('\n')

/** The mount points that are unmounted, in their order; `kept` cannot be. */
function unmounted(kept?: string) {
  const asked: string[] = []
  const left = unmountBelow('/runs/one', {
    read: () => MOUNT_INFO,
    unmount(point) {
      asked.push(point)
      if (point === kept) throw new Error('not permitted')
    },
  })
  return { asked, left }
}

test('what is mounted below a directory is unmounted, the newest first, and nothing else is', () => {
  expect(unmounted()).toEqual({
    asked: ['/runs/one/agent/secure/with blank', '/runs/one/agent/secure'],
    left: [],
  })
})

test('a mount point that stays is named, and the others are unmounted', () => {
  const { asked, left } = unmounted('/runs/one/agent/secure/with blank')
  expect(asked).toHaveLength(2)
  expect(left).toEqual(['/runs/one/agent/secure/with blank'])
})

test('a directory without mounts needs no permission', () => {
  expect(unmountBelow(import.meta.dirname)).toEqual([])
})
