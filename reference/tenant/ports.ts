import { TenantFault } from './tenant-fault.ts'

/** The number of a port that an option gives. @throws {TenantFault} `usage` */
export function portOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (isPort(text)) return Number(text)
  throw new TenantFault(
    'usage',
    `${option} is ${JSON.stringify(text)}`,
    'give a number from 1 to 65535',
  )
}

/** Whether a text is the number of a port. */
export function isPort(text: string): boolean {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535
}
