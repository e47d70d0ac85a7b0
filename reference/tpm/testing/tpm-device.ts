import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { startSwtpm } from './swtpm.ts'

const TCTI_PATH = 'swtpm:path='

/**
 * The path of a character device with a virtual TPM behind it, as `/dev/tpmrm0` is one: a terminal in raw mode, whose
 * other end is carried to swtpm. It ends with the test.
 */
export async function startTpmDevice(): Promise<string> {
  const { tcti } = await startSwtpm()
  const terminal = spawn('script', ['-qec', 'stty raw -echo; tty; exec sleep 60', '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(terminal, 'exit')
  const [path] = await once(terminal.stdout, 'data')
  const tpm = connect(tcti.slice(TCTI_PATH.length))
  terminal.stdout.on('data', (command) => tpm.write(command))
  tpm.on('data', (response) => terminal.stdin.write(response))
  onTestFinished(async () => {
    tpm.destroy()
    terminal.kill()
    await ended
  })
  return String(path).trim()
}
