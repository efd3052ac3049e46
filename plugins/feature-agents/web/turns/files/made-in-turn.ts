import type { ChatState, Message } from '../../live-chat/chat-state.js'
import type { MadeFile } from './made-file.js'

/** What the calls of a turn have made or changed: each file once, at its first place and in its last state. */
export function madeInTurn({ state }: ChatState, messages: readonly Message[]): readonly MadeFile[] {
  const byPath = new Map<string, MadeFile>()
  for (const { content } of messages)
    for (const part of content)
      if (part.type === 'tool_call') for (const file of state.calls[part.call_id]?.files ?? []) byPath.set(file.path, file)
  return [...byPath.values()]
}
