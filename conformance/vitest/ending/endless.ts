import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'

const NEVER = { timeout: 600_000 }

test(
  'a test waits for a server in a process group of its own, and starts another',
  NEVER,
  async () => {
    const start = () => {
      const directory = mkdtempSync(join(tmpdir(), 'assay-endless-'))
      const words = ['-e', 'setInterval(() => undefined, 1000)', directory]
      const server = spawn(process.execPath, words, { detached: true, stdio: 'ignore' })
      process.stdout.write(`started ${server.pid} in ${directory}\n`)
      server.once('exit', start)
    }
    start()
    await new Promise(() => undefined)
  },
)
