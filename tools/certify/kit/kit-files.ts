import { RUNS } from '../judge/judge-runs.ts'
import { digestOf, type KitFile } from './statement.ts'

/** The files of a kit. */
export const NAMES = {
  readme: 'README.md',
  statement: 'statement.dsse.json',
  key: 'key.pem',
  badge: 'badge.svg',
  target: 'target.yaml',
  log: 'log.txt',
  sums: 'SHA256SUMS',
} as const

/** What a kit keeps of each run, `result.json` first. */
export const FILES_OF_RUN = ['result.json', 'report.html', 'transcripts.jsonl.gz'] as const

/** The path of a file of a run; runs are counted from 1. */
export function pathInRun(run: number, file: string): string {
  return `runs/${run}/${file}`
}

/** The paths of the files that the statement covers, in its order. */
export const COVERED: readonly string[] = [
  ...Array.from({ length: RUNS }, (_, at) => FILES_OF_RUN.map((file) => pathInRun(at + 1, file))),
  [NAMES.target, NAMES.log, NAMES.key],
].flat()

/** Every file of a kit. */
export const ALL: readonly string[] = [
  ...COVERED,
  ...[NAMES.statement, NAMES.badge, NAMES.readme, NAMES.sums],
]

/** The text of SHA256SUMS, as `sha256sum -c` reads it. */
export function sumsOf(files: readonly KitFile[]): string {
  const lines = files.map(({ path, bytes }) => `${digestOf(bytes)}  ${path}\n`)
  return lines.join('')
}
