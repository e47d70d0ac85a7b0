import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createECDH, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curves } from './algorithms.ts'
import { decode, encode } from './codec.ts'
import { CREDENTIAL_FILE } from './credential.ts'
import { makeCredential } from './make-credential.ts'
import { TPM2B_PUBLIC, TPMA_OBJECT } from './public.ts'
import { recorded } from './testing/recorded-boot.ts'

const run = promisify(execFile)
const SECRET = new TextEncoder().encode('thirty-two characters of secret.')

function seal(change: Partial<Parameters<typeof makeCredential>[0]> = {}): Uint8Array {
  return makeCredential({
    ekPublic: recorded('ek_rsa.tpm2b_public'),
    name: recorded('ak_rsa.name'),
    secret: SECRET,
    random: (length) => randomBytes(length),
    ...change,
  })
}

test('a credential for an RSA-2048 endorsement key has the layout of the usual tools', () => {
  const file = seal()
  const { credentialBlob, secret } = decode(CREDENTIAL_FILE, file)
  expect(file.length).toBe(336)
  expect(credentialBlob.contents.integrityHMAC.length).toBe(32)
  expect(credentialBlob.contents.encIdentity.length).toBe(34)
  expect(secret.length).toBe(256)
})

test('two credentials for the same key are different', () => {
  expect(seal()).not.toEqual(seal())
})

test('a secret longer than a digest is refused', () => {
  expect(() => seal({ secret: new Uint8Array(33) })).toThrow(
    'the nameAlg of the endorsement key gives 32 bytes, too few for the challenge',
  )
})

test.each(Object.values(curves))(
  'of $name the last private key is one less than its order',
  ({ openssl, order }) => {
    const set = (scalar: bigint) => {
      const digits = scalar.toString(16)
      const padded = digits.padStart(2 * Math.ceil(digits.length / 2), '0')
      createECDH(openssl).setPrivateKey(padded, 'hex')
    }
    expect(() => set(order - 1n)).not.toThrow()
    expect(() => set(order)).toThrow('not valid')
  },
)

test('an endorsement key that OAEP does not fit into is refused', () => {
  const { contents } = decode(TPM2B_PUBLIC, recorded('ek_rsa.tpm2b_public'))
  const { parameters, unique } = contents
  if (parameters.kind !== 'rsa' || unique.kind !== 'rsa') throw new Error('not an RSA key')
  const short = {
    ...contents,
    nameAlg: 0x000d,
    parameters: { ...parameters, value: { ...parameters.value, keyBits: 1024 } },
    unique: { ...unique, value: unique.value.subarray(128) },
  }
  const ekPublic = encode(TPM2B_PUBLIC, { bytes: new Uint8Array(), contents: short })
  expect(() => seal({ ekPublic })).toThrow('too short for OAEP')
})

test('a signing key is refused as endorsement key', () => {
  expect(() => seal({ ekPublic: recorded('ak_rsa.tpm2b_public') })).toThrow(
    'the endorsement key is not a restricted decryption key',
  )
})

test('a storage key without AES-CFB is refused', () => {
  const { contents } = decode(TPM2B_PUBLIC, recorded('ak_rsa.tpm2b_public'))
  const objectAttributes = TPMA_OBJECT.restricted | TPMA_OBJECT.decrypt
  const changed = { bytes: new Uint8Array(), contents: { ...contents, objectAttributes } }
  expect(() => seal({ ekPublic: encode(TPM2B_PUBLIC, changed) })).toThrow('AES-CFB')
})

/** Two neighbouring free ports, as the tools expect the control port one above the data port. */
async function freePair(): Promise<number> {
  const listen = (port: number) =>
    new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
      const server = createServer()
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
    })
  for (let tries = 0; tries < 20; tries++) {
    const first = await listen(0)
    const address = first.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const second = await listen(port + 1).catch(() => undefined)
    await Promise.all(
      [first, second].map((each) => each && new Promise((done) => each.close(done))),
    )
    if (second) return port
  }
  throw new Error('no two neighbouring ports are free')
}

async function reachable(port: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      }).once('error', () => resolve(false))
    })
    if (open) return
  }
  throw new Error(`nothing listens on port ${port}`)
}

describe('a real TPM', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-credential-'))
  const path = (file: string) => join(folder, file)
  let swtpm: ChildProcess
  let tool: (name: string, ...args: string[]) => Promise<unknown>

  beforeAll(async () => {
    const port = await freePair()
    swtpm = spawn(
      'swtpm',
      [
        'socket',
        '--tpm2',
        '--tpmstate',
        `dir=${folder}`,
        '--flags',
        'not-need-init,startup-clear',
      ].concat(
        ['--server', `type=tcp,port=${port},bindaddr=127.0.0.1`],
        ['--ctrl', `type=tcp,port=${port + 1},bindaddr=127.0.0.1`],
      ),
      { stdio: 'ignore' },
    )
    await reachable(port + 1)
    const env = { ...process.env, TPM2TOOLS_TCTI: `swtpm:host=127.0.0.1,port=${port}` }
    const options = { env, cwd: folder, timeout: 30_000 }
    // A TPM has three slots for transient objects, and nothing empties them between two tools.
    tool = (name, ...args) =>
      run(name, args, options).finally(() => run('tpm2_flushcontext', ['-t'], options))
  })

  afterAll(() => {
    swtpm.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  async function opens(algorithm: string, change: (file: Uint8Array) => Uint8Array = (x) => x) {
    await tool('tpm2_createek', '-c', path('ek.ctx'), '-G', algorithm, '-u', path('ek.pub'))
    await tool('tpm2_createak', '-C', path('ek.ctx'), '-c', path('ak.ctx'), '-n', path('ak.name'))
    const [ekPublic, name] = [readFileSync(path('ek.pub')), readFileSync(path('ak.name'))]
    writeFileSync(path('cred'), change(seal({ ekPublic, name })))
    await tool('tpm2_startauthsession', '--policy-session', '-S', path('session.ctx'))
    await tool('tpm2_policysecret', '-S', path('session.ctx'), '-c', 'e')
    const session = `session:${path('session.ctx')}`
    await tool(
      'tpm2_activatecredential',
      ...['-c', path('ak.ctx'), '-C', path('ek.ctx'), '-i', path('cred')],
      ...['-o', path('secret'), '-P', session],
    ).finally(() => tool('tpm2_flushcontext', path('session.ctx')))
    return new Uint8Array(readFileSync(path('secret')))
  }

  test.each(['rsa', 'ecc'])(
    'opens a credential made for its %s endorsement key',
    async (algorithm) => {
      expect(await opens(algorithm)).toEqual(SECRET)
    },
    60_000,
  )

  test('refuses the same credential with one bit changed', async () => {
    const flip = (file: Uint8Array) => file.with(20, (file[20] ?? 0) ^ 1)
    await expect(opens('rsa', flip)).rejects.toThrow(/integrity check failed/)
  }, 60_000)
})
