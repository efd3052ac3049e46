import { type FilePart, isTextFile, type ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'

/** Which files a target can be sent. */
export interface SendableFiles {
  /** What its adapter supports. */
  readonly files: boolean | 'text'
  /** What the model takes beside text, by the catalogue; undefined if that does not say. */
  readonly input: readonly string[] | undefined
}

/** Whether a file reaches a target in some way: as it is, or as its text. */
export const reaches = (part: FilePart, files: boolean | 'text'): boolean =>
  files === true || (files === 'text' && (part.as_text !== undefined || isTextFile(part)))

/**
 * Messages in which each file is what the target takes: the file itself, or its text, never both.
 * The same messages if no file has a text.
 */
export function withReadableFiles(messages: readonly ModelMessage[], target: SendableFiles): readonly ModelMessage[] {
  const hasText = messages.some(({ content }) => content.some((part) => part.type === 'file' && part.as_text !== undefined))
  if (!hasText) return messages
  return messages.map((message) =>
    message.role === 'user'
      ? { ...message, content: message.content.map((part) => (part.type === 'file' ? readable(part, target) : part)) }
      : message,
  ) as readonly ModelMessage[]
}

function readable({ as_text: text, ...part }: FilePart, { files, input }: SendableFiles): FilePart {
  if (text === undefined) return part
  const isKnownNotToRead = part.media_type === 'application/pdf' && input !== undefined && !input.includes('pdf')
  if (files === true && !isKnownNotToRead) return part
  const { url: _, ...rest } = part
  return { ...rest, media_type: 'text/markdown', data: Buffer.from(text).toString('base64') }
}
