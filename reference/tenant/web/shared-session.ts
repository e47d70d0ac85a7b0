import type { Tenant } from '../tenant.ts'
import { TenantFault } from '../tenant-fault.ts'

/** A session for all requests that only read, so that connections and versions are kept. */
export interface SharedSession {
  ask<Result>(question: (tenant: Tenant) => Promise<Result>): Promise<Result>
  close(): void
}

/** After a server that cannot be reached the next request has a new session, with the files and versions of then. */
export function sharedSession(open: () => Tenant): SharedSession {
  let current: { readonly tenant: Tenant; users: number } | undefined
  return {
    async ask(question) {
      current ??= { tenant: open(), users: 0 }
      const session = current
      session.users += 1
      try {
        return await question(session.tenant)
      } catch (error) {
        if (!isAnswer(error) && current === session) current = undefined
        throw error
      } finally {
        session.users -= 1
        if (current !== session && session.users === 0) session.tenant.close()
      }
    },
    close() {
      current?.tenant.close()
      current = undefined
    },
  }
}

/** Exit code 1 is that of a server that has answered. */
function isAnswer(error: unknown): boolean {
  return error instanceof TenantFault && error.exit === 1
}
