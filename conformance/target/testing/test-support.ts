import { buildSync } from 'esbuild'
import { packageRoot } from '../../input/package-root.ts'
import 'reflect-metadata'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { onTestFinished } from 'vitest'
import { until } from '../../attempt/poll.ts'
import { readProcess } from '../processes/process-table.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

/** A certificate with its private key; `files` are the paths that {@link TestCa.issue} wrote. */
export interface Issued {
  readonly certificate: string
  readonly key: string
}

export interface IssueOptions {
  readonly usages?: readonly ('serverAuth' | 'clientAuth')[]
  readonly ip?: string
  /** Days from now. */
  readonly from?: number
  readonly to?: number
}

/** A CA for tests, with its certificates and keys as PEM files in one directory. */
export interface TestCa {
  readonly file: string
  readonly issue: (name: string, options?: IssueOptions) => Promise<Issued>
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = await crypto.subtle.exportKey('pkcs8', key)
  return x509.PemConverter.encode(der, 'PRIVATE KEY')
}

function day(offset: number): Date {
  return new Date(Date.now() + offset * DAY_MS)
}

/** A new temporary directory, deleted at the end of the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'target-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export async function makeCa(directory: string, name = 'Test CA'): Promise<TestCa> {
  mkdirSync(directory, { recursive: true })
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: day(-1),
    notAfter: day(10),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const file = join(directory, 'ca.crt')
  writeFileSync(file, root.toString('pem'))
  const issue = async (subject: string, options: IssueOptions = {}) => {
    const own = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const usages = options.usages?.map((usage) => x509.ExtendedKeyUsage[usage])
    const issued = await x509.X509CertificateGenerator.create({
      subject: `CN=${subject}`,
      issuer: root.subject,
      notBefore: day(options.from ?? -1),
      notAfter: day(options.to ?? 1),
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'ip', value: options.ip ?? '127.0.0.1' },
        ]),
        ...(usages ? [new x509.ExtendedKeyUsageExtension(usages)] : []),
      ],
    })
    const paths = {
      certificate: join(directory, `${subject}.crt`),
      key: join(directory, `${subject}.pem`),
    }
    writeFileSync(paths.certificate, issued.toString('pem'))
    writeFileSync(paths.key, await exportKey(own.privateKey))
    return paths
  }
  return { file, issue }
}

/** Writes a Node script into `directory` and returns its path. */
export function writeScript(directory: string, name: string, lines: readonly string[]): string {
  const path = join(directory, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** Writes a program that imports sources of Assay by their paths; returns the file to run with Node. */
export function writeProgram(directory: string, name: string, lines: readonly string[]): string {
  const path = join(directory, name)
  buildSync({
    ...{ stdin: { contents: lines.join('\n'), resolveDir: packageRoot() }, outfile: path },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' },
  })
  return path
}

/** A script that serves HTTPS on 127.0.0.1: `node SCRIPT PORT CERTIFICATE KEY`. */
export function writeServer(directory: string): string {
  return writeScript(directory, 'server.mjs', [
    "import { readFileSync } from 'node:fs'",
    "import { createServer } from 'node:https'",
    'const [port, cert, key] = process.argv.slice(2)',
    'createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, reply) => {',
    '  reply.statusCode = 418',
    '  reply.end()',
    "}).listen(Number(port), '127.0.0.1')",
  ])
}

function killLater(child: ChildProcess): number {
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  if (child.pid === undefined) throw new Error(`${child.spawnfile} did not start`)
  return child.pid
}

/** Starts a process that does nothing for a minute, and is killed at the end of the test. */
export function startIdler(options: SpawnOptions = {}): number {
  return killLater(spawn('sleep', ['60'], { ...options, stdio: 'ignore' }))
}

/** Starts Node with `words` and waits for its first line on stdout; it is killed at the end of the test. */
export async function startNode(
  words: readonly string[],
  options: SpawnOptions = {},
): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly output: string }> {
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = killLater(child)
  const [chunk] = await once(child.stdout ?? child, 'data')
  return { child, pid, output: String(chunk).trim() }
}

export function isRunning(pid: number): boolean {
  return readProcess(pid)?.hasEnded === false
}

/** True if `pid` ends within two seconds. */
export function ends(pid: number): Promise<boolean> {
  return until(() => !isRunning(pid), { withinMs: 2000 })
}
