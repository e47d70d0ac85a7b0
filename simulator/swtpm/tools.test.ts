import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, describe as group, test } from 'vitest'
import type { Machine } from '../machine/machine.ts'
import { openLab } from '../testing/lab.ts'
import { HAS_TOOLS, tool } from '../testing/tools.ts'
import { parseCredentialBlob, writeCredentialBlob } from '../tpm/credential-blob.ts'
import { cat, filled, text, toHex } from '../tpm/write.ts'
import type { CommandRecord } from './broker.ts'

const lab = openLab()
const NONCE = text('Ab3dEfGh1jKlMnOpQrSt')
const SECRET = text('0123456789abcdefghijABCDEFGHIJKL')

/** tpm2-tools read the bytes with an independent implementation. */
group.skipIf(!HAS_TOOLS)('with tpm2-tools', () => {
  let machine: Machine
  let scratch: string

  beforeAll(async () => {
    machine = await lab.machine()
    scratch = await lab.directory()
  })

  async function put(name: string, bytes: Uint8Array | string): Promise<string> {
    await writeFile(join(scratch, name), bytes)
    return join(scratch, name)
  }

  async function made(name: string, make: (path: string) => Promise<unknown>): Promise<Uint8Array> {
    await make(join(scratch, name))
    return new Uint8Array(await readFile(join(scratch, name)))
  }

  /** `tpm2_makecredential` needs no TPM: it encrypts to a public key. */
  function credentialFor(name: Uint8Array): Promise<Uint8Array> {
    return made('credential', async (path) => {
      const ek = await put('ek.pub', machine.ek.public)
      const secret = await put('secret', SECRET)
      const inputs = ['-T', 'none', '-u', ek, '-s', secret, '-n', toHex(name)]
      await tool('tpm2_makecredential', ...inputs, '-o', path)
    })
  }

  test.each(['rsa2048', 'ecc256'] as const)('tpm2_checkquote accepts a quote by %s', async (ak) => {
    const one = await lab.machine({ ak })
    const quote = await one.quote({ qualifyingData: NONCE, bank: 'sha256', pcrs: [0, 7, 10, 16] })
    const files = [
      ...['-u', await put('ak.pem', one.ak.publicPem), '-q', toHex(NONCE), '-g', 'sha256'],
      ...[
        '-m',
        await put('quote.msg', quote.message),
        '-s',
        await put('quote.sig', quote.signature),
      ],
    ]
    const blob = await put('quote.pcrs', quote.blob)
    const accepted = await tool('tpm2_checkquote', ...files, '-f', blob)
    expect(accepted).toContain('sha256')
    const other = quote.blob.map((byte, at) => (at === 150 ? byte ^ 1 : byte))
    const changed = tool('tpm2_checkquote', ...files, '-f', await put('other.pcrs', other))
    await expect(changed).rejects.toThrow(/tpm2_checkquote/)
  })

  test('tpm2_pcrread through the Unix socket reads the same values while the broker is in use', async () => {
    const { tcti } = await machine.serveUnix()
    const ours = Promise.all(Array.from({ length: 200 }, () => machine.tpm.getRandom(8)))
    const raw = await made('pcrs', (path) => {
      return tool('tpm2_pcrread', '-T', tcti, 'sha256:0,7,10', '-o', path)
    })
    expect((await ours).every((random) => random.length === 8)).toBe(true)
    const values = await machine.tpm.pcrRead('sha256', [0, 7, 10])
    expect(toHex(raw)).toBe(toHex(cat(...values.values())))
  })

  test('tpm2_readpublic through TCP reads the same AK', async () => {
    const { tcti, port } = await machine.serveTcp()
    expect(port).toBeGreaterThan(0)
    const pem = await made('read.pem', (path) => {
      const handle = `0x${machine.ak.handle.toString(16)}`
      return tool('tpm2_readpublic', '-T', tcti, '-c', handle, '-f', 'pem', '-o', path)
    })
    expect(new TextDecoder().decode(pem)).toBe(machine.ak.publicPem)
  })

  test('tpm2_nvread through either socket reads the EK certificate', async () => {
    for (const { tcti } of [await machine.serveUnix(), await machine.serveTcp()]) {
      const read = await made('ek.der', (path) => {
        return tool('tpm2_nvread', '-T', tcti, '0x1c00002', '-o', path)
      })
      expect(toHex(read)).toBe(toHex(machine.ek.certificate))
    }
  })

  test('eight tools at once, on both sockets, each get their own response', async () => {
    const tctis = [await machine.serveUnix(), await machine.serveTcp()].map(({ tcti }) => tcti)
    const lengths = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const size = String(8 + index)
        const tcti = tctis[index % 2] ?? ''
        return (await tool('tpm2_getrandom', '-T', tcti, '--hex', size)).trim().length / 2
      }),
    )
    expect(lengths).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
  })

  test('an extension by a tool is visible to the machine', async () => {
    const { tcti } = await machine.serveUnix()
    await machine.tpm.pcrReset(23)
    await tool('tpm2_pcrextend', '-T', tcti, `23:sha256=${'0'.repeat(64)}`)
    const values = await machine.tpm.pcrRead('sha256', [23])
    expect(values.get(23)).not.toEqual(filled(32))
  })

  test('commands of a tool are in the transcript', async () => {
    const records: CommandRecord[] = []
    const onCommand = (record: CommandRecord) => records.push(record)
    const one = await lab.machine({ ak: 'ecc256', onCommand })
    const { tcti } = await one.serveUnix()
    const before = records.length
    await tool('tpm2_nvread', '-T', tcti, '0x1c00002', '-o', join(scratch, 'seen.der'))
    const commands = records.slice(before).map(({ command, detail }) => `${command} ${detail}`)
    const size = one.ek.certificate.length
    expect(commands).toContain(`TPM2_NV_Read 0x01c00002: ${size} bytes at 0`)
  })

  test('a credential of tpm2_makecredential opens to its secret', async () => {
    const blob = await credentialFor(machine.ak.name)
    const parts = parseCredentialBlob(blob)
    expect(parts).toMatchObject({ magic: 0xbadcc0de, version: 1 })
    expect(toHex(writeCredentialBlob(parts))).toBe(toHex(blob))
    expect(await machine.activateCredential(blob)).toEqual(SECRET)
  })

  test('a credential for another key is refused, and the session is flushed', async () => {
    const other = machine.ak.name.map((byte, at) => (at === 33 ? byte ^ 1 : byte))
    const blob = await credentialFor(other)
    for (let tries = 0; tries < 8; tries += 1) {
      const refused = machine.activateCredential(blob)
      await expect(refused).rejects.toThrow(/TPM_RC_INTEGRITY/)
    }
    expect(await machine.activateCredential(await credentialFor(machine.ak.name))).toEqual(SECRET)
  })

  test('a closed machine leaves no socket for a tool', async () => {
    const one = await lab.machine({ ak: 'ecc256' })
    const { tcti } = await one.serveTcp()
    const served = await one.serveUnix()
    await one.close()
    expect(existsSync(served.tcti.replace('swtpm:path=', ''))).toBe(false)
    await expect(tool('tpm2_getrandom', '-T', tcti, '4')).rejects.toThrow()
  })
})
