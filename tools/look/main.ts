import { Command } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'
import { lookCommand } from './look.ts'

/** `assay look`; `argv[0]` is the verb. Returns 0 when the report asked nothing of the network, 1 when it did, 2 without a picture. */
export async function main([, ...argv]: readonly string[]): Promise<number> {
  const command = new Command('assay look')
    .description('opens a report in headless Chromium without a network and takes screenshots')
    .option('--report <file>', 'the HTML report', 'reports/out/report.html')
    .option('--out <directory>', 'directory for the screenshots', 'reports/out/look')
  const options = parse(command, argv)?.opts<{ report: string; out: string }>()
  return options === undefined ? 0 : lookCommand(options.report, options.out)
}
