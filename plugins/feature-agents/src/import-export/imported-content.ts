import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart, FilePart, ImagePart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { storableObject, wellFormed } from '../common/well-formed.js'
import type { MessageInDocument, PartInDocument } from './chat-document.js'

type FileInDocument = Extract<PartInDocument, { type: 'file' }>
type PlainPart = Extract<PartInDocument, { type: 'text' | 'image' | 'file' }>

/** The types of parts that a message of each role may have. */
const allowed: Readonly<Record<MessageInDocument['role'], readonly PartInDocument['type'][]>> = {
  user: ['text', 'image', 'file'],
  assistant: ['text', 'image', 'file', 'reasoning', 'tool_call'],
  tool: ['tool_result'],
}

/** The first problem of an imported message, or `undefined`. `path` is relative to the message. */
export function contentProblem({ role, content }: MessageInDocument): { readonly path: string; readonly message: string } | undefined {
  const calls = new Set<string>()
  for (const [index, part] of content.entries()) {
    const path = `/content/${index}`
    if (!allowed[role].includes(part.type)) {
      return { path: `${path}/type`, message: `cannot be “${part.type}” in a message with the role “${role}”` }
    }
    if (part.type !== 'tool_call' && part.type !== 'tool_result') continue
    if (calls.has(part.call_id)) return { path: `${path}/call_id`, message: 'occurs twice in this message' }
    calls.add(part.call_id)
    if (part.type === 'tool_call' && storableObject(part.arguments as JsonObject) === undefined) {
      return { path: `${path}/arguments`, message: 'is nested too deeply' }
    }
  }
  return undefined
}

/**
 * The content to store: only members that the service knows. Lone surrogates become U+FFFD, and a
 * link to a picture or file becomes text, so that no vendor fetches a link from a foreign document.
 * A person's file without content stays its name.
 * Requires that `contentProblem` returned `undefined`.
 */
export const importedContent = ({ role, content }: MessageInDocument): readonly ContentPart[] =>
  content.map((part) => (role === 'user' && isNamed(part) ? namedFile(part) : importedPart(part)))

/** A file that a person attached and no model was shown: it lay in a workspace, and does not come with the document. */
const isNamed = (part: PartInDocument): part is FileInDocument => part.type === 'file' && part.data === undefined && part.url === undefined

const namedFile = ({ media_type, name }: FileInDocument): FilePart => ({
  ...{ type: 'file', media_type: wellFormed(media_type), name: wellFormed(name) },
})

function importedPart(part: PartInDocument): ContentPart {
  switch (part.type) {
    case 'text':
    case 'image':
    case 'file':
      return plainPart(part)
    case 'reasoning':
      return { type: 'reasoning', text: wellFormed(part.text) }
    case 'tool_call': {
      const call: ToolCallPart = { ...callOf(part), type: 'tool_call', arguments: storableObject(part.arguments as JsonObject) ?? {} }
      return part.invalid_arguments === undefined ? call : { ...call, invalid_arguments: wellFormed(part.invalid_arguments) }
    }
    case 'tool_result':
      return {
        type: 'tool_result',
        ...callOf(part),
        content: part.content.map(plainPart),
        ...(part.is_error === undefined ? {} : { is_error: part.is_error }),
        ...(part.outcome === undefined ? {} : { outcome: part.outcome }),
      }
  }
}

const callOf = (part: { readonly call_id: string; readonly provider_call_id?: string; readonly name: string }) => ({
  call_id: wellFormed(part.call_id),
  ...(part.provider_call_id === undefined ? {} : { provider_call_id: wellFormed(part.provider_call_id) }),
  name: wellFormed(part.name),
})

function plainPart(part: PlainPart): TextPart | ImagePart | FilePart {
  if (part.type === 'text') return { type: 'text', text: wellFormed(part.text) }
  const what = part.type === 'image' ? 'image' : wellFormed(part.name)
  if (part.data === undefined) return { type: 'text', text: `(${what}${part.url === undefined ? '' : `: ${wellFormed(part.url)}`})` }
  const media = { media_type: wellFormed(part.media_type), data: wellFormed(part.data) }
  return part.type === 'image' ? { type: 'image', ...media } : { type: 'file', name: what, ...media }
}
