import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** One file of evidence: its hash, origin and licence. */
interface ManifestRow {
  readonly path: string
  readonly sha256: string
  readonly provenance: string
  readonly licence: string
}

/** Folder below `fixtures/` -> origin of its files. Every fixture is below one of these. */
const ORIGINS: Readonly<Record<string, Pick<ManifestRow, 'provenance' | 'licence'>>> = {
  'boots/full-ovmf-imasig': {
    provenance:
      'made for this project: Debian 12 cloud kernel 6.1 booted in QEMU with OVMF and swtpm, IMA template ima-sig',
    licence: 'Apache-2.0',
  },
  makers: {
    provenance:
      'written by simulator/vectors: certificates of the makers whose TPMs the registrations of E.5 show, and of the one that certifies the SEV-SNP reports of the simulator',
    licence: 'Apache-2.0',
  },
  'sev-snp': {
    provenance:
      'written by simulator/vectors: SEV-SNP reports by keys that follow from a label, each with one fault',
    licence: 'Apache-2.0',
  },
  oracles: {
    provenance: 'written for this project: what programs of others were seen to do',
    licence: 'Apache-2.0',
  },
  adversarial: {
    provenance:
      'written by simulator/vectors: keys outside any TPM that follow from a label, and the recorded boot with one place changed',
    licence: 'Apache-2.0',
  },
}

/** Returns the manifest of a fixtures directory in its current state. Throws for a file without an origin. */
export function manifestOf(fixtures: string): readonly ManifestRow[] {
  return listFiles(fixtures)
    .filter((path) => path !== 'MANIFEST.json')
    .map((path) => {
      const origin = Object.entries(ORIGINS).find(([folder]) => path.startsWith(`${folder}/`))?.[1]
      if (origin === undefined)
        throw new Error(`fixtures/${path} has no origin; add its folder to ORIGINS`)
      const sha256 = createHash('sha256')
        .update(readFileSync(join(fixtures, path)))
        .digest('hex')
      return { path, sha256, ...origin }
    })
}

function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}
