import type { ChannelParts } from '../parts/channel-parts.js'
import type { Conversation } from '../store/conversation.js'
import { type ChannelCommand, helpText } from './commands.js'
import type { Settlement } from './settlement.js'

/** Does what a command says. */
export async function obey(
  parts: ChannelParts,
  conversation: Conversation,
  command: ChannelCommand,
  signal: AbortSignal,
): Promise<Settlement> {
  if (command === 'help') return { outcome: 'command', conversation, notice: helpText }
  if (command === 'new')
    return {
      ...{ outcome: 'command', conversation, notice: 'A new conversation begins.' },
      // What the chat before asks is still answered by its buttons, no longer by mere words.
      change: (current) => ({
        ...current,
        chat_id: null,
        questions: current.questions.map((question) => ({ ...question, shown: false })),
      }),
    }
  const isStopped = conversation.run_id !== null && (await stopRun(parts, conversation, conversation.run_id, signal))
  return { outcome: 'command', conversation, notice: isStopped ? 'Stopped.' : 'Nothing is at work here.' }
}

async function stopRun(
  { runs, log }: ChannelParts,
  { user_id: userId }: Conversation,
  runId: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const run = await runs.get({ userId, runId })
    if (run.finishedAt !== null) return false
    await runs.cancel({ userId, runId }, { signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    log.warn('A run of a channel could not be stopped.', { run_id: runId, error })
    return false
  }
}
