import { execFile } from 'node:child_process'
import type { Registration } from '../registration.ts'

/** The input of a script, as upstream passes it: environment variables. */
interface ScriptRequest {
  readonly script: string
  readonly agentId: string
  readonly registration: Pick<Registration, 'ek_tpm' | 'ekcert'>
  /** Milliseconds. */
  readonly timeout: number
}

/** The problem that a script of the site has with an endorsement key; undefined when it ends with 0. */
export function runCheckScript({
  script,
  agentId,
  registration,
  timeout,
}: ScriptRequest): Promise<string | undefined> {
  const { ek_tpm = '', ekcert = '' } = registration
  const variables = {
    AGENT_UUID: agentId,
    EK: ek_tpm,
    EK_TPM: ek_tpm,
    EK_CERT: ekcert,
    PROVKEYS: '',
  }
  return new Promise((resolve) => {
    execFile(script, { env: { ...process.env, ...variables }, timeout }, (error) => {
      if (error === null) return resolve(undefined)
      const { code, killed } = error
      const how = killed ? `did not end within ${timeout} ms` : `ended with ${String(code)}`
      resolve(`the script ${script} ${how}`)
    })
  })
}
