import { createHash } from 'node:crypto'
import { attachmentsOf, type BundleFile } from './attachments.ts'
import { BUNDLE_FILE, type Bundle } from './bundle.ts'
import { presentHar } from './present-har.ts'
import { presentReadme } from './present-readme.ts'
import { presentRequests } from './present-requests.ts'
import { presentTpmLog } from './present-tpm-log.ts'
import type { Recording, TextFile } from './recording.ts'
import { redactFile } from './redact-file.ts'

/** The files of a bundle, without secrets, README first. `name` is that of the bundle; `target` the text of the target file. */
export function makeBundle(
  recording: Recording,
  name: string,
  target: string | undefined,
): readonly BundleFile[] {
  const { source, logs, kept } = recording
  const tpmLog = presentTpmLog(recording)
  const texts: readonly TextFile[] = [
    { path: 'transcript.json', text: `${JSON.stringify(kept.transcript, null, 1)}\n` },
    { path: 'exchange.har', text: presentHar(recording) },
    ...presentRequests(recording),
    ...(tpmLog === undefined ? [] : [{ path: 'tpm-commands.log', text: tpmLog }]),
    ...(target === undefined ? [] : [{ path: 'target.yaml', text: target }]),
    ...logs,
  ]
  const files = [
    ...texts.map(({ path, text }) => textFile(path, redactFile(text))),
    ...attachmentsOf(recording).map(redactIfText),
    ...(source === undefined ? [] : [textFile(source.path, source.text)]),
    ...tpmFiles(recording),
  ]
  const readme = presentReadme(recording, [BUNDLE_FILE, ...files.map(({ path }) => path)], name)
  const all = [textFile('README.md', redactFile(readme)), ...files]
  return [...all, textFile(BUNDLE_FILE, manifestOf(recording, all))]
}

function textFile(path: string, text: string): BundleFile {
  return { path, bytes: Buffer.from(text) }
}

function redactIfText({ path, bytes }: BundleFile): BundleFile {
  if (!path.endsWith('.txt')) return { path, bytes }
  return textFile(path, redactFile(Buffer.from(bytes).toString()))
}

const pathsOf = (at: number) => ({
  permanent: `tpm/${at + 1}/tpm2-00.permall`,
  volatile: `tpm/${at + 1}/tpm2-00.volatilestate`,
})

function tpmFiles({ tpms }: Recording): readonly BundleFile[] {
  return tpms.flatMap((state, at) => {
    const { permanent, volatile } = pathsOf(at)
    return [
      { path: permanent, bytes: Buffer.from(state.permanent, 'base64') },
      { path: volatile, bytes: Buffer.from(state.volatile, 'base64') },
    ]
  })
}

function manifestOf({ result, scenario, tpms }: Recording, files: readonly BundleFile[]): string {
  const { assay_version, interface_sha256, target, seed, started_at, requirements } = result
  const head: Omit<Bundle, 'tpms' | 'files'> = {
    schema: 'assay.bundle/1',
    ...{ assay_version, interface_sha256, target, seed, started_at, scenario },
    requirements: requirements.filter(({ id }) => scenario.requirements.includes(id)),
  }
  const bundle: Bundle = {
    ...JSON.parse(redactFile(JSON.stringify(head))),
    tpms: tpms.map((_, at) => pathsOf(at)),
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, digestOf(bytes)])),
  }
  return `${JSON.stringify(bundle, null, 2)}\n`
}

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
