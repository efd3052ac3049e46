import type { ChatPart } from '@agent-service/sdk/contracts/chat-part'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { SandboxProcess } from '@agent-service/sdk/services/sandbox'

/** The running processes of each chat. */
export interface ChatProcesses {
  /** Remembers a process until it ends. */
  started(process: SandboxProcess, context: Pick<ToolContext, 'chatId'>): void
  /** Ends with a chat what its calls have started. */
  readonly part: ChatPart
}

export function createChatProcesses(): ChatProcesses {
  const running = new Map<string, Set<SandboxProcess>>()
  const end = async ({ chatId }: { readonly chatId: string }): Promise<void> => {
    await Promise.all([...(running.get(chatId) ?? [])].map((process) => process.stop()))
  }
  return {
    started(process, { chatId }) {
      const those = running.get(chatId) ?? new Set()
      running.set(chatId, those.add(process))
      void process.exited.then(() => {
        those.delete(process)
        if (those.size === 0 && running.get(chatId) === those) running.delete(chatId)
      })
    },
    part: {
      specVersion: 1,
      id: 'processes',
      title: 'Processes',
      erase: end,
      rest: end,
      export: () => Promise.resolve(undefined),
      import: () => Promise.resolve(),
    },
  }
}
