import { sampleRun } from './sample-runs.ts'
import {
  failed,
  lacking,
  NA,
  RUN,
  remade,
  second,
  secondEdited,
  secondWith,
  type Tampering,
  withCheck,
} from './tamper.ts'

/** Kits that were signed over runs that support no certificate. */
export const TAMPERED_RUNS: readonly Tampering[] = [
  // the runs, signed by the runner
  [
    'one seed twice',
    second({ seed: 'seed-1' }),
    'runs/1/result.json and runs/2/result.json have one seed, seed-1',
  ],
  [
    'one run three times',
    remade({ runs: ['a', 'b', 'c'].map((seed) => sampleRun(1, { seed })) }),
    'began before runs/1/result.json had ended',
  ],
  ['one run only', remade({ runs: [sampleRun(1)] }), 'runs/2/result.json is missing'],
  [
    'another target',
    second({ target: { name: 'Other' } }),
    'of different deployments: another target',
  ],
  [
    'other capabilities',
    second({ target: { capabilities: ['ek_store'] } }),
    'another capabilities',
  ],
  [
    'another Assay',
    second({ assay_version: '0.0.9' }),
    `${RUN}: written by Assay 0.0.9, and this is Assay 0.1.0`,
  ],
  [
    'another document',
    second({ interface_sha256: 'cd'.repeat(32) }),
    `${RUN}: written for another text`,
  ],
  [
    'another profile',
    second({ selection: { profile: 'other' } }),
    `${RUN}: a run of other, not of sample`,
  ],
  [
    'a selection',
    second({ selection: { only: ['registrar.added'] } }),
    `${RUN}: --only left scenarios out`,
  ],
  [
    'a baseline',
    second({ baseline: { file: 'b', entries: [] } }),
    `${RUN}: a baseline expects failures`,
  ],
  [
    'an early end',
    second({ ended: { because: 'bail', says: 'bail' } }),
    `${RUN}: the run ended early`,
  ],
  [
    'a missing scenario',
    second({ scenarios: (all) => all.slice(1) }),
    `${RUN}: the scenario registrar.added under 2.5 is missing`,
  ],
  [
    'a scenario twice',
    second({ scenarios: ([one, ...all]) => (one ? [one, one, ...all] : all) }),
    'registrar.added under 2.5 is there 2 times',
  ],
  [
    'a scenario of another profile',
    secondWith('registrar.added', (one) => ({ ...one, id: 'verifier.other' })),
    'the plan has no scenario verifier.other under 3.0',
  ],
  [
    'a skip',
    secondWith('registrar.added', (one) => ({ ...one, outcome: 'skipped', checks: [] })),
    'registrar.added under 3.0 is not passed (skipped)',
  ],
  [
    'a failure',
    secondWith('registrar.refused', (one) => ({ ...failed(one), outcome: 'fail' })),
    'registrar.refused under 3.0 is not passed (fail)',
  ],
  [
    'a failure called a pass',
    secondWith('registrar.refused', failed),
    'registrar.refused under 3.0 says pass, and its checks give fail',
  ],
  [
    'a pass without a check',
    secondWith('registrar.refused', (one) => ({ ...one, checks: [] })),
    'says pass, and its checks give harness-fault',
  ],
  [
    'a waived check',
    secondWith('registrar.refused', (one) =>
      withCheck((check) => ({ ...check, excused: 'known' }))(failed({ ...one, outcome: 'waived' })),
    ),
    'a check of REG-REFUSED in registrar.refused under 3.0 is waived: known',
  ],
  [
    'a weaker check',
    secondWith('registrar.refused', (one) =>
      withCheck((check) => ({ ...check, strength: 'silent' }))(failed({ ...one, outcome: 'warn' })),
    ),
    'has the strength silent, not that of the catalogue',
  ],
  [
    'a check of another row',
    secondWith(
      'registrar.added',
      withCheck((check) => ({ ...check, requirement: 'REG-STORE' })),
    ),
    'has a check of REG-STORE, not its own',
  ],
  [
    'other requirements',
    secondWith('registrar.added', (one) => ({ ...one, requirements: ['REG-ADDED', 'REG-STORE'] })),
    'registrar.added under 3.0 is not as in the catalogue',
  ],
  [
    'an excluded scenario that ran',
    secondWith('registrar.device', (one) => ({
      ...one,
      outcome: 'observed',
      observations: [{ key: 'k', what: 'w', received: 'r', at: 0 }],
    })),
    'says observed, and its checks give not-applicable',
  ],
  [
    'a missing row',
    second({
      scenarios: (all) =>
        all.map((one) => (one.id === 'registrar.refused' ? { ...one, ...NA } : one)),
    }),
    `${RUN}: no check covers the row REG-REFUSED of the profile`,
  ],
  [
    'a waiver in the target file',
    second({ allowances: ['REG-ADDED is waived'] }),
    'its scenarios give the verdict conforms: REG-ADDED is waived',
  ],
  [
    'a complaint',
    second({ complaints: ['stale'] }),
    'its scenarios give the verdict does not conform: stale',
  ],
  [
    'another verdict',
    secondEdited((text) => text.replace('"verdict":"conforms"', '"verdict":"part passed"')),
    'its verdict does not follow from its scenarios',
  ],
  [
    'other totals',
    secondEdited((text) => text.replace(/"pass":\d+/, '"pass":99')),
    'its totals does not follow',
  ],
  [
    'another row result',
    secondEdited((text) =>
      text.replace('"by_version":{"2.5":"pass"', '"by_version":{"2.4":"pass"'),
    ),
    'its requirements does not follow',
  ],
  ['a missing role', lacking({ roles: [] }), 'the profile sample requires the role registrar'],
  [
    'a missing capability',
    lacking({ capabilities: ['ima_log'] }),
    'the profile sample requires the capability ek_store',
  ],
  [
    'no version of the profile',
    lacking({ versions: ['1.0'] }),
    'the profile sample requires an API version of 2.1 or later',
  ],
  [
    'a target file with waivers',
    remade({
      target:
        "name: Example | registrar\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\nwaivers: w.yaml\n",
    }),
    'target.yaml has waivers, and a certificate allows no excuse',
  ],
  [
    'a deviation profile',
    remade({
      target:
        "name: Example | registrar\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\nprofile: keylime\n",
    }),
    'target.yaml has profile',
  ],
  [
    'other capabilities in the target file',
    remade({ target: "name: Example | registrar\nversions: ['2.5', '3.0']\n" }),
    'target.yaml has other capabilities than the runs',
  ],
  [
    'another target file',
    remade({
      target: "name: Other\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\n",
    }),
    'target.yaml has other name than the runs',
  ],
]
