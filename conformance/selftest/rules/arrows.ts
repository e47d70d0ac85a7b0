/**
 * Which folder may import which: the forbidden edges, each with its reason. Paths are regular
 * expressions over paths from the repository root, in the form that dependency-cruiser takes.
 */
export interface Arrow {
  readonly name: string
  readonly why: string
  readonly from: string
  readonly fromNot?: string
  readonly to: string
  readonly toNot?: string
}

const JUDGE = '^(simulator|conformance|scenarios)/'
const COMPONENTS = '^reference/(registrar|verifier|agent|tenant)/'
const ENTRY_POINTS = '^reference/(mutants|fuzz|bench)/'
const TESTS = '\\.test\\.ts$'

export const ARROWS: readonly Arrow[] = [
  {
    name: 'the-judge-does-not-see-the-judged',
    why: 'a shared codec would make both sides agree with each other and with nobody else',
    from: JUDGE,
    to: '^(reference|dist/reference)/',
  },
  {
    name: 'the-judged-does-not-see-the-judge',
    why: 'the reference must stand as any vendor stands: on bytes and data',
    from: '^reference/',
    to: '^(simulator|conformance|scenarios|dist/(simulator|conformance|scenarios))/',
  },
  {
    name: 'only-the-command-sees-both',
    why: 'the bootstrap starts things by name; one table may know both sides',
    from: '^bin/',
    fromNot: `^bin/assay\\.js$|${TESTS}`,
    to: '^(reference|simulator|conformance|scenarios)/',
  },
  {
    name: 'a-scenario-imports-the-dsl-only',
    why: 'what is asked must be readable without knowing how it is asked',
    from: '^scenarios/',
    to: '.',
    toNot: '^conformance/dsl\\.ts$',
  },
  {
    name: 'the-judge-discovers-scenarios',
    why: 'a list of imports would have to be kept',
    from: '^conformance/',
    to: '^scenarios/',
  },
  {
    name: 'the-simulator-stands-alone',
    why: 'machines that can lie are of use to others too, and must not learn what is judged',
    from: '^simulator/',
    to: '^(reference|conformance|scenarios|bin)/',
  },
  {
    name: 'bytes-know-nothing',
    why: 'the lowest layer of the reference',
    from: '^reference/bytes/',
    to: '^reference/',
    toNot: '^reference/bytes/',
  },
  {
    name: 'tpm-knows-bytes',
    why: 'marshalling has no opinion on evidence',
    from: '^reference/tpm/',
    to: '^reference/',
    toNot: '^reference/(tpm|bytes)/',
  },
  {
    name: 'evidence-is-pure',
    why: 'bytes and expectations in, findings out: no clock, no storage, no HTTP, no configuration',
    from: '^reference/evidence/',
    to: '^reference/',
    toNot: '^reference/(evidence|tpm|bytes)/',
  },
  {
    name: 'the-lower-folders-know-no-component',
    why: 'what crosses HTTP, who may do what, and where it is kept are the same for every component',
    from: '^reference/(api|authorization|storage|pki|http-client)/',
    to: `${COMPONENTS}|^reference/http-server/|^reference/(compose|compose-agent|compose-registrar|main)\\.ts$`,
  },
  {
    name: 'a-component-knows-no-other',
    why: 'the registrar and the verifier are processes of their own',
    from: '^reference/registrar/',
    to: '^reference/(verifier|agent|tenant)/',
  },
  {
    name: 'the-verifier-knows-no-other',
    why: 'the registrar and the verifier are processes of their own',
    from: '^reference/verifier/',
    to: '^reference/(registrar|agent|tenant)/',
  },
  {
    name: 'the-tenant-knows-no-other',
    why: 'an administrator knows of the components what they say on the wire',
    from: '^reference/tenant/',
    to: '^reference/(registrar|verifier|agent)/',
    fromNot: TESTS,
  },
  {
    name: 'the-agent-knows-no-other',
    why: 'an agent runs on another machine than the registrar and the verifier',
    from: '^reference/agent/',
    to: '^reference/(registrar|verifier|tenant)/',
  },
  {
    name: 'operations-do-not-see-http',
    why: 'an operation is judged without a server',
    from: COMPONENTS,
    to: '^reference/(http-server/|compose\\.ts|compose-agent\\.ts|compose-registrar\\.ts|main\\.ts)',
  },
  {
    name: 'nothing-imports-an-entry-point',
    why: 'the shipped reference has no switch that makes it wrong',
    from: '^(reference|simulator|conformance|scenarios|bin)/',
    fromNot: `${ENTRY_POINTS}|^(simulator|conformance)/(bench|selftest)/|${TESTS}`,
    to: `${ENTRY_POINTS}|^(simulator|conformance)/(bench|selftest)/`,
  },
]
