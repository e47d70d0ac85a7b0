import type { CommandRecord } from '../../simulator/swtpm/broker.ts'

/** A step that waits for a TPM command. */
export interface CommandTrigger {
  /** Calls `step` once, after the next TPM command for which `isAt` is true; the command after it waits. */
  afterCommand(isAt: (record: CommandRecord) => boolean, step: () => void): void
  /** Gives no step to any command. */
  forget(): void
  /** Shows it a command. */
  see(record: CommandRecord): void
}

export function commandTrigger(): CommandTrigger {
  let awaited: Parameters<CommandTrigger['afterCommand']> | undefined
  return {
    afterCommand(...command) {
      awaited = command
    },
    forget() {
      awaited = undefined
    },
    see(record) {
      if (awaited === undefined || !awaited[0](record)) return
      const [, step] = awaited
      awaited = undefined
      step()
    },
  }
}
