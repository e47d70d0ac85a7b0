import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 2

/** Where a virtual TPM that keeps its state in a directory listens; it takes one program at a time. */
export function socketIn(directory: string): string {
  return join(directory, 's')
}

/** Starts a virtual TPM, started up, on the state in an existing directory, and waits until it listens. */
export async function spawnSwtpm(directory: string, withinMs: number): Promise<ChildProcess> {
  const socket = socketIn(directory)
  rmSync(socket, { force: true })
  const child = spawn(
    'swtpm',
    [
      ...['socket', '--tpm2', '--flags', 'not-need-init,startup-clear'],
      ...['--tpmstate', `dir=${directory}`, '--server', `type=unixio,path=${socket}`],
      ...['--ctrl', `type=unixio,path=${socket}.ctrl`],
    ],
    // An inherited pipe would block the process that waits for this one.
    { stdio: 'ignore' },
  )
  await once(child, 'spawn')
  const deadline = performance.now() + withinMs
  while (!(await isOpen(socket))) {
    if (performance.now() <= deadline && child.exitCode === null) await delay(EVERY_MS)
    else {
      await endSwtpm(child)
      throw new Error('swtpm did not open its socket')
    }
  }
  return child
}

/** Stops the process if it still runs. */
export async function endSwtpm(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function isOpen(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
