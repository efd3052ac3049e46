import { type EventTypeDeclaration, type Logger, Type } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { presentProcess, processSchema } from './process-view.js'

const schema = Type.Object({ process: processSchema }, { additionalProperties: true })

/** The events of processes. */
export const processEventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'sandbox.process.started': { description: 'A process began to run in the sandbox.', schema },
  'sandbox.process.ended': { description: 'A process of the sandbox ended, with its reason.', schema },
}

/** Reports on the user's stream. */
export interface ProcessEvents {
  /** Of one process the reports are published in the order of the calls. */
  report(name: 'sandbox.process.started' | 'sandbox.process.ended', view: SandboxProcessView): void
  /** Resolves when every report so far is stored, or could not be. */
  settled(): Promise<void>
}

/** Nothing waits for the reports: a process runs and ends without them. */
export function createProcessEvents(dependencies: {
  readonly database: Pick<Database, 'transaction'>
  readonly events: Pick<Events, 'record'>
  readonly log: Logger
}): ProcessEvents {
  const { database, events, log } = dependencies
  /** By process: its last report. */
  const last = new Map<string, Promise<void>>()
  return {
    report(name, view) {
      const data = { process: presentProcess(view) }
      const { userId } = view.principal
      const report = (last.get(view.id) ?? Promise.resolve())
        .then(() => database.transaction(async (transaction) => events.record(transaction, { userId, name, data })))
        .catch((error: unknown) => log.warn('A process of the sandbox could not be reported.', { event: name, error }))
        .finally(() => {
          if (last.get(view.id) === report) last.delete(view.id)
        })
      last.set(view.id, report)
    },
    settled: async () => void (await Promise.all(last.values())),
  }
}
