import { maxToolFiles } from '@agent-service/sdk/contracts/tool'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { MadeFile } from '../../store/chats/made-file.js'
import { runCollection } from '../../store/runs/run.js'
import { runStepCollection } from '../../store/runs/run-step.js'

/** What another agent has made for a call. */
export interface DelegatedFiles {
  /**
   * The files that the runs below this call have made, in the workspaces of their agents, each in its
   * last state; the last 50.
   */
  of(call: { readonly runId: string; readonly callId: string }): Promise<readonly MadeFile[]>
}

export function createDelegatedFiles({ database }: { readonly database: Database }): DelegatedFiles {
  return {
    async of({ runId, callId }) {
      const made = new Map<string, MadeFile>()
      for await (const run of documentsOf(database, runCollection, { index: 'by_parent', equals: [runId], pageSize: 200 })) {
        if (run.parent?.call_id !== callId) continue
        for await (const { body } of documentsOf(database, runStepCollection, { index: 'by_run', equals: [run.id], pageSize: 200 })) {
          if (body.type !== 'tool.completed') continue
          for (const file of body.files ?? []) {
            made.delete(file.path)
            made.set(file.path, { ...file, call_id: callId })
          }
        }
      }
      return [...made.values()].slice(-maxToolFiles)
    },
  }
}
