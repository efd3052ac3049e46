import type { AuditEntry } from '@agent-service/kernel-accounts/audit'
import { commandLine, notePending } from '@agent-service/kernel-accounts/audit'
import { configurationLocation } from '@agent-service/kernel-core/config'
import type { Invocation } from './invocation.js'

/**
 * Notes for the audit log what a command is about to change outside the database. Durable when it
 * resolves.
 */
export function noteCommand(
  { environment, workingDirectory }: Pick<Invocation, 'environment' | 'workingDirectory'>,
  command: string,
  entry: Omit<AuditEntry, 'actor'>,
): Promise<void> {
  const { serverDataDir } = configurationLocation(environment, workingDirectory)
  return notePending(serverDataDir, { ...entry, actor: commandLine(command) }, Date.now())
}
