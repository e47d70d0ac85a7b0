import { Command } from 'commander'
import picocolors from 'picocolors'
import { SetupFault } from '../input/fault.ts'
import { parse } from '../options/cli-options.ts'
import type { OutputStream } from '../report/console/live-lines.ts'
import { diffResults } from '../report/diff/diff.ts'
import { presentDiff } from '../report/diff/present-diff.ts'
import { loadResult } from '../report/json/load-result.ts'
import { wantsColour } from '../report/progress.ts'
import { show } from './show.ts'

const diffCommand = (): Command =>
  new Command('assay report diff')
    .description('shows what got worse, better or different between two runs')
    .argument('<before>', 'result.json of the earlier run')
    .argument('<after>', 'result.json of the later run')
    .option('--json', 'print the differences as JSON', false)

const diff = async (argv: readonly string[], stream: OutputStream): Promise<number> => {
  const command = parse(diffCommand(), argv)
  if (command === undefined) return 0
  const [before = '', after = ''] = command.args
  const found = diffResults(await loadResult(before), await loadResult(after))
  const colours = picocolors.createColors(wantsColour(stream, process.env))
  const text = command.opts<{ readonly json: boolean }>().json
    ? JSON.stringify(found, null, 2)
    : presentDiff(found, colours)
  stream.write(`${text}\n`)
  return found.worse ? 1 : 0
}

const HELP = `usage: assay report <subcommand> [options]

  diff BEFORE AFTER  shows what got worse, better or different between two runs
  merge A B C        joins the results of the shards of a run
  show ID            prints the transcript of a scenario

  assay report <subcommand> --help lists the options
`

/**
 * `assay report diff BEFORE AFTER [--json]`, `assay report merge A B --out DIR` and `assay report show ID`; `argv` follows `report`. Exit code of `diff`:
 * 0 if nothing got worse, otherwise 1. Throws `SetupFault` (exit code 2) for a file in another format or unknown
 * arguments.
 */
export const reportMain = async (
  argv: readonly string[],
  stream: OutputStream = process.stdout,
): Promise<number> => {
  const [word, ...rest] = argv
  if (word === 'diff') return diff(rest, stream)
  if (word === 'show') return show(rest, stream)
  if (word === 'merge') return (await import('./merge.ts')).merge(rest, stream)
  if (word === '--help' || word === '-h') {
    stream.write(HELP)
    return 0
  }
  throw new SetupFault(
    word === undefined
      ? 'report needs a subcommand: diff, merge or show'
      : `report has no subcommand ${word}`,
    { next: 'assay report --help lists the options' },
  )
}
