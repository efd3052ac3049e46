import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { buildCompletionsMessages, type ToolNames, toolsAsText } from '@agent-service/sdk/provider-kit'
import { fittingCallId } from '../connection/call-ids.js'
import type { CompletionsQuirks } from './quirks.js'
import { shapeTurns } from './shape-turns.js'
import { mediaAsText } from './tell-as-text.js'

interface MessageContext {
  readonly quirks: CompletionsQuirks
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/** The `messages` of a completions request for its brand. */
export function buildMessages(messages: readonly ModelMessage[], { quirks, vendor, names }: MessageContext): readonly JsonObject[] {
  const shown = quirks.content === 'text' ? messages.map(mediaAsText) : messages
  const told = quirks.tools ? shown : shown.map(toolsAsText)
  const wireCallId = (id: string): string => wireToolCallId(id, quirks)
  return shapeTurns(buildCompletionsMessages(told, { vendor, names, contentOfCalls: null, wireCallId, filePart }), quirks)
}

/**
 * The vendor accepts only PDF here (https://developers.openai.com/api/docs/guides/file-inputs);
 * other brands judge themselves.
 */
const filePart = ({ name, media_type: mediaType, data, url }: FilePart): JsonObject => ({
  type: 'file',
  file: { filename: name, file_data: url ?? `data:${mediaType};base64,${data ?? ''}` },
})

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The wire id of a tool call. For a brand with a fixed length, foreign ids become a hash, so that
 * call and result always agree; for a brand with a maximum length, only longer ones do.
 */
function wireToolCallId(id: string, quirks: Pick<CompletionsQuirks, 'toolCallIdLength' | 'toolCallIdMaxLength'>): string {
  const { toolCallIdLength: length, toolCallIdMaxLength: maxLength } = quirks
  if (length === undefined) return maxLength === undefined ? id : fittingCallId(id, maxLength)
  if (id.length === length && /^[A-Za-z0-9]+$/.test(id)) return id
  const bytes = createHash('sha256').update(id).digest()
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
