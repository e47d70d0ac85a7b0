import type { Recording } from './recording.ts'

/** The TPM commands, one a line: time, machine, command, result, and both messages in hex; undefined without any. */
export function presentTpmLog({ kept }: Recording): string | undefined {
  const lines = kept.transcript.flatMap((entry) => {
    if (entry.lane !== 'tpm') return []
    const { machine, command, response_code: code } = entry
    const head = `${entry.at_ms.toFixed(1)} ms ${machine} ${command} ${code}`
    return [`${head}\n> ${entry.command_hex}\n< ${entry.response_hex}\n`]
  })
  return lines.length === 0 ? undefined : lines.join('')
}
