import type { ChatMessage } from '@agent-service/sdk/services/chats'
import type { ChatWindow } from '../chats/read-window.js'
import { cutMiddle } from '../common/text.js'

/** A part of the transcript for one request. */
export interface TranscriptWindow {
  /** The first sequence in it. */
  readonly from: number
  /** The last sequence in it. */
  readonly to: number
  readonly text: string
}

/**
 * Cuts the messages into requests, on the borders of messages. A message that is longer than a whole
 * request is cut in its middle.
 */
export function cutWindows(
  { messages, sequences }: ChatWindow,
  limits: { readonly maxTokens: number; readonly maxMessages: number },
): readonly TranscriptWindow[] {
  const windows: TranscriptWindow[] = []
  let lines: string[] = []
  let [first, last, size] = [0, 0, 0]
  const close = (): void => {
    if (lines.length > 0) windows.push({ from: first, to: last, text: lines.join('\n\n') })
    lines = []
    size = 0
  }
  for (const sequence of sequences) {
    const message = messages.get(sequence)
    if (!message) continue
    const line = cutMiddle(lineOf(message), limits.maxTokens * 4)
    const added = line.length + (lines.length === 0 ? 0 : 2)
    if (lines.length === limits.maxMessages || (lines.length > 0 && Math.ceil((size + added) / 4) > limits.maxTokens)) close()
    if (lines.length === 0) first = sequence
    size += line.length + (lines.length === 0 ? 0 : 2)
    last = sequence
    lines.push(line)
  }
  close()
  return windows
}

/** The results of tools are only named: they are looked up as evidence. */
function lineOf({ sequence, role, at, text, tools, partial }: ChatMessage): string {
  if (role === 'tool') return `[${sequence}] results of ${tools.join(', ') || 'a tool'}: ${text.length} characters`
  return `[${sequence}] ${role}${partial ? ' (the answer broke off here)' : ''}, ${at}:\n${text}`
}
