/**
 * The forbidden imports, each with its reason. Paths are regular expressions over paths from the repository root, in
 * the form that dependency-cruiser takes. Type imports count.
 */
export interface ImportRule {
  readonly name: string
  readonly why: string
  readonly from: string
  readonly fromNot?: string
  readonly to: string
  readonly toNot?: string
}

/** Files that only tests load; they may import everything of their side. */
const TESTS = '\\.test\\.ts$|(^|/)(testing|tests|selftest|dev|vitest|bench)/'

/** Folders of each side, the lowest first. A file imports from its own folder and from lower ones. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  simulator: [
    ...['tpm', 'ima', 'uefi', 'x509', 'soft', 'sev-snp', 'swtpm', 'platform'],
    ...['faults', 'machine', 'agents', 'services', 'vectors', 'testing', 'bench'],
  ],
  conformance: [
    ...['input', 'report', 'options', 'dialects', 'catalogue', 'attempt', 'recording', 'schemas'],
    ...[
      'target',
      'client',
      'peers',
      'scenario.ts',
      'steps',
      'oracle',
      'model',
      'preflight',
      'runner',
    ],
    ...['doctor', 'verbs', 'cli.ts', 'vitest', 'selftest'],
  ],
  reference: [
    ...['platform', 'errors.ts', 'bytes', 'tpm', 'evidence', 'authorization', 'api', 'pki'],
    ...['http-client', 'storage', 'config', 'registrar', 'verifier', 'agent', 'tenant'],
    ...['http-server', 'compose', 'commands', 'main.ts', 'dev'],
  ],
}

const HARNESS = '^(simulator|conformance|scenarios|tools)/'
/** `scenarios/<area>/` of the importing file; `$1` in a `to` is the area. */
const AREA = '^scenarios/([^/]+)/'
const SUPPORT = '^scenarios/[^/]+/support/'

const SIDES: readonly ImportRule[] = [
  {
    name: 'harness-does-not-import-reference',
    why: 'both sides would share the mistakes of a common codec',
    from: HARNESS,
    to: '^(reference|dist/reference)/',
  },
  {
    name: 'reference-does-not-import-harness',
    why: 'the reference is tested like any other product, through bytes and data',
    from: '^reference/',
    to: '^(simulator|conformance|scenarios|tools|dist/(harness|simulator|conformance|scenarios))/',
  },
  {
    name: 'bin-imports-no-side',
    why: 'the bootstrap starts modules by name; only the table in assay.js lists both sides',
    from: '^bin/',
    fromNot: `^bin/assay\\.js$|${TESTS}`,
    to: '^(reference|simulator|conformance|scenarios|tools)/',
  },
  {
    name: 'simulator-imports-nothing-of-ours',
    why: 'the simulator is usable without the harness, and does not depend on the tests',
    from: '^simulator/',
    to: '^(reference|conformance|scenarios|tools|bin)/',
  },
  {
    name: 'conformance-does-not-import-tools',
    why: 'tools are built on the engine',
    from: '^conformance/',
    fromNot: '\\.test\\.ts$',
    to: '^tools/',
  },
]

const SCENARIOS: readonly ImportRule[] = [
  {
    name: 'scenario-imports-api-and-support',
    why: 'a scenario must be readable without knowledge of the engine',
    from: AREA,
    fromNot: SUPPORT,
    to: '.',
    toNot: '^conformance/scenario\\.ts$|^scenarios/$1/support/',
  },
  {
    name: 'support-belongs-to-one-area',
    why: 'what two areas need belongs to the engine',
    from: AREA,
    fromNot: '\\.test\\.ts$',
    to: '^scenarios/',
    toNot: '^scenarios/$1/support/',
  },
  {
    name: 'nothing-imports-a-scenario',
    why: 'the engine discovers scenarios; a list of imports would have to be maintained',
    from: '^(bin|conformance|simulator|tools)/',
    fromNot: '\\.test\\.ts$',
    to: '^scenarios/',
  },
]

const REFERENCE: readonly ImportRule[] = [
  {
    name: 'evidence-is-pure',
    why: 'bytes and expectations in, findings out: no clock, storage, HTTP or configuration',
    from: '^reference/(bytes|tpm|evidence)/',
    fromNot: TESTS,
    to: '^reference/',
    toNot: '^reference/(bytes|tpm|evidence)/',
  },
  {
    name: 'component-imports-no-other-component',
    why: 'registrar, verifier, agent and tenant are processes that use each other only over HTTP',
    from: '^reference/(registrar|verifier|agent|tenant)/',
    fromNot: TESTS,
    to: '^reference/(registrar|verifier|agent|tenant)/',
    toNot: '^reference/$1/',
  },
  {
    name: 'nothing-imports-dev',
    why: 'the shipped reference has no option that enables a mutant',
    from: '^(reference|simulator|conformance|scenarios|tools|bin)/',
    fromNot: TESTS,
    to: '^reference/dev/|^conformance/(selftest|vitest)/|(^|/)testing/',
  },
]

function placeOf(side: string, folder: string): string {
  return folder.endsWith('.ts') ? `${side}/${folder.replace('.', '\\.')}$` : `${side}/${folder}/`
}

/** One rule for each folder: it imports nothing from a higher one. */
function downwards(side: string, folders: readonly string[]): readonly ImportRule[] {
  const isTested = (folder: string) => !new RegExp(TESTS).test(placeOf(side, folder))
  return folders
    .slice(0, -1)
    .filter(isTested)
    .map((folder) => ({
      name: `${side}-${folder}-imports-downwards`,
      why: 'a folder must be understandable with knowledge of the lower folders only',
      from: `^${placeOf(side, folder)}`,
      fromNot: TESTS,
      to: folders
        .slice(folders.indexOf(folder) + 1)
        .map((higher) => `^${placeOf(side, higher)}`)
        .join('|'),
    }))
}

export const IMPORT_RULES: readonly ImportRule[] = [
  ...SIDES,
  ...SCENARIOS,
  ...REFERENCE,
  ...Object.entries(LAYERS).flatMap(([side, folders]) => downwards(side, folders)),
]
