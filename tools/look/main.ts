import { Command } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'
import { lookCommand } from './look.ts'

/** `assay look`; `argv[0]` is the verb. Returns 0 if the report has no problems, else 1. */
export async function main([, ...argv]: readonly string[]): Promise<number> {
  const command = new Command('assay look')
    .description(
      'takes screenshots of a report in headless Chromium and lists problems such as network requests',
    )
    .option('--report <file>', 'the HTML report', 'reports/out/report.html')
    .option('--out <directory>', 'directory for the screenshots', 'reports/out/look')
  const options = parse(command, argv)?.opts<{ report: string; out: string }>()
  return options === undefined ? 0 : lookCommand(options.report, options.out)
}
