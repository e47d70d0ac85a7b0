import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { loadCertificateProfile } from '../../conformance/catalogue/certification/profiles.ts'
import {
  loadInterfaceDocument,
  loadRequirements,
} from '../../conformance/catalogue/load-requirements.ts'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import { visibleLine } from '../../conformance/report/visible.ts'
import { discoverScenarios } from '../../conformance/runner/discover.ts'
import { assayVersion } from '../../conformance/runner/result/compose-result.ts'
import { certify } from './certify.ts'
import { compareKits } from './compare-kits.ts'
import { type ProfileCatalogue, profileCatalogue } from './judge/profile-catalogue.ts'
import { keyIdOf } from './kit/envelope.ts'
import { KitError, readPublicKey } from './kit/open-envelope.ts'
import { openKit } from './kit/open-kit.ts'
import { readSubject } from './kit/subjects.ts'
import { type Verified, verifyKit } from './kit/verify-kit.ts'
import { fileSigner } from './sign/file-signer.ts'
import { openTpm } from './sign/open-tpm.ts'
import type { Signer } from './sign/signer.ts'
import { tpmSigner } from './sign/tpm-signer.ts'

/** `assay certify` and `assay certificate`; `argv[0]` is the verb. */
export async function main([verb, ...argv]: readonly string[]): Promise<number> {
  return verb === 'certificate' ? certificate(argv) : make(argv)
}

interface CertifyOptions {
  readonly target: string
  readonly profile: string
  readonly out: string
  readonly subject: readonly string[]
  readonly key: string
  readonly handle?: number
}

function readHandle(text: string): number {
  if (/^0x81[0-9a-f]{6}$/i.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a persistent handle such as 0x81010002.')
}

async function make(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay certify')
      .description('runs a profile three times and, if every scenario passes, writes a signed kit')
      .requiredOption(
        '--profile <name>',
        'registrar, verifier-pull, verifier-push, evidence, pull-agent, push-agent or tenant',
      )
      .requiredOption('--out <directory>', 'a new directory for the kit')
      .requiredOption(
        '--subject <file>',
        'what is certified: a file, or NAME=sha256:HEX such as the digest of an image; can be repeated',
        (value: string, before: readonly string[] = []) => [...before, value],
      )
      .requiredOption(
        '--key <key>',
        'the key of the runner: a file with a private key in PEM (Ed25519, ECDSA P-256 or P-384, or RSA), or tcti=… for a TPM',
      )
      .option(
        '--handle <handle>',
        'with --key tcti=…: the persistent handle of the key, such as 0x81010002',
        readHandle,
      )
      .option('--target <file>', 'target file', defaultTarget()),
    argv,
  )
  if (command === undefined) return 0
  const { target, profile, out, subject, key, handle } = command.opts<CertifyOptions>()
  const signer = await signerOf(key, handle)
  const subjects = await Promise.all(subject.map(readSubject))
  const catalogue = (await loadCatalogues())(profile)
  return certify({ target, out, subjects, signer, catalogue, stream: process.stdout })
}

const TCTI = 'tcti='

/** Signs with the key of a file, or of a TPM. */
async function signerOf(key: string, handle: number | undefined): Promise<Signer> {
  if (!key.startsWith(TCTI)) return fileSigner(key)
  if (handle !== undefined) return tpmSigner(() => openTpm(key.slice(TCTI.length)), handle)
  throw new SetupFault('--key tcti=… needs the handle of the key', {
    next: 'add --handle 0x81010002; tpm2_getcap handles-persistent lists them',
  })
}

type Catalogues = (profile: string) => ProfileCatalogue

/** What this Assay knows of each profile. */
async function loadCatalogues(): Promise<Catalogues> {
  const requirements = loadRequirements()
  const scenarios = await discoverScenarios(requirements)
  const judge = {
    ...{ requirements, scenarios, assay_version: assayVersion() },
    interface_sha256: loadInterfaceDocument().sha256,
  }
  return (name) => profileCatalogue(loadCertificateProfile(name), judge)
}

const certificateVerbs: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  verify,
  compare,
}

async function certificate([verb = '', ...argv]: readonly string[]): Promise<number> {
  const known = certificateVerbs[verb]
  if (known !== undefined && Object.hasOwn(certificateVerbs, verb)) return known(argv)
  if (verb === '--help') {
    process.stdout.write('usage: assay certificate verify KIT [--key FILE] | compare KIT KIT\n')
    return 0
  }
  throw new SetupFault(`assay certificate has no verb ${JSON.stringify(verb)}`, {
    next: 'assay certificate verify KIT, or assay certificate compare KIT KIT',
  })
}

async function verify(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay certificate verify')
      .description('checks a kit: signature, digests, and the verdict, computed from its results')
      .argument('<kit>', 'the directory of a kit, or a zip of it')
      .option('--key <file>', 'the public key of the runner in PEM, from elsewhere than the kit'),
    argv,
  )
  if (command === undefined) return 0
  const [path = ''] = command.args
  const { key } = command.opts<{ readonly key?: string }>()
  const verified = await verifyAt(path, await loadCatalogues(), key)
  if (!isValid(verified)) return refused(path, verified)
  present(path, verified, key)
  return 0
}

async function compare(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay certificate compare')
      .description('prints what two valid kits certify differently')
      .argument('<before>', 'the directory of a kit, or a zip of it')
      .argument('<after>', 'the directory of a kit, or a zip of it'),
    argv,
  )
  if (command === undefined) return 0
  const catalogueOf = await loadCatalogues()
  const [one = '', other = ''] = command.args
  const before = await verifyAt(one, catalogueOf)
  if (!isValid(before)) return refused(one, before)
  const after = await verifyAt(other, catalogueOf)
  if (!isValid(after)) return refused(other, after)
  const differences = compareKits(before, after)
  for (const line of differences) process.stdout.write(`${visibleLine(line)}\n`)
  if (differences.length === 0) process.stdout.write('no difference\n')
  return 0
}

async function verifyAt(path: string, catalogueOf: Catalogues, key?: string): Promise<Verified> {
  const trusted = key === undefined ? {} : { trusted: await readTrusted(key) }
  return verifyKit(await openKit(path), { catalogueOf, ...trusted })
}

async function readTrusted(file: string) {
  try {
    return readPublicKey(file, await readFile(file, 'utf8'))
  } catch (cause) {
    const why =
      cause instanceof KitError ? cause.message : `${file} cannot be read (${codeOf(cause)})`
    throw new SetupFault(why, { next: 'give --key the public key of the runner in PEM', cause })
  }
}

function isValid(verified: Verified): verified is Required<Verified> {
  return verified.refusals.length === 0 && verified.parts !== undefined
}

const MOST = 20

function refused(path: string, { refusals }: Verified): number {
  process.stdout.write(`${path} is no valid certificate\n`)
  for (const { says, next } of refusals.slice(0, MOST))
    process.stdout.write(`refused: ${visibleLine(says)}\nnext: ${visibleLine(next)}\n`)
  if (refusals.length > MOST) process.stdout.write(`and ${refusals.length - MOST} more\n`)
  return 1
}

function present(path: string, verified: Required<Verified>, trusted: string | undefined): void {
  const { parts, statement, key } = verified
  const { profile, rows, assay_version } = parts.catalogue
  const whose =
    trusted === undefined
      ? 'a key that only the kit names; give --key with the one of the runner'
      : 'the key of --key'
  const lines = [
    `${path} is a valid certificate of the profile ${profile.name}, by Assay ${assay_version}`,
    ...statement.subject.map(({ name, digest }) => `subject    ${name} sha256:${digest.sha256}`),
    `covers     ${parts.runs[0]?.result.scope?.text}; ${rows.length} rows of the profile`,
    `verdict    conforms, computed from the results of ${parts.runs.length} runs`,
    `signature  ${parts.signed}, ${keyIdOf(key)}: ${whose}`,
  ]
  for (const line of lines) process.stdout.write(`${visibleLine(line)}\n`)
}
