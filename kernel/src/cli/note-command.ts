import type { AuditEntry } from '../audit/audit-log.js'
import { commandLine } from '../audit/audit-records.js'
import { notePending } from '../audit/pending-entries.js'
import { configurationPlace } from '../config/index.js'
import type { Invocation } from './invocation.js'

/** Notes for the audit log what a command is about to do to something that is not in the database; durable when it resolves. */
export function noteCommand(
  { environment, workingDirectory }: Pick<Invocation, 'environment' | 'workingDirectory'>,
  command: string,
  entry: Omit<AuditEntry, 'actor'>,
): Promise<void> {
  const { serverDataDir } = configurationPlace(environment, workingDirectory)
  return notePending(serverDataDir, { ...entry, actor: commandLine(command) }, Date.now())
}
