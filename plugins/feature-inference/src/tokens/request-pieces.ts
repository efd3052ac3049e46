import type { JsonValue } from '@agent-service/sdk'
import {
  type ContentPart,
  type FilePart,
  isTextFile,
  type ModelMessage,
  type ModelTool,
  type OpaquePart,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { Framing } from './framing.js'

/** The pieces whose tokens add up to those of a request. */
export interface RequestPieces {
  /**
   * Counted one by one. Each is complete, so that a growing conversation repeats the same texts.
   */
  readonly texts: readonly string[]
  /** The texts of each tool; the same list for the same tool. */
  readonly tools: readonly (readonly string[])[]
  /** Tokens that are not text: framing, media, opaque parts. */
  readonly fixed: number
  /** Something in `fixed` is a guess: an image, a file, an opaque part. */
  readonly guessed: boolean
}

/** For an image of common size; the real count depends on width and height. */
export const imageTokens = 1_600
/** A page of a document, as text and as an image. */
const pageTokens = 3_000
/** Larger text files are not decoded: two bytes count as a token. */
const maxTextSize = 1024 * 1024

/** Splits a request into pieces, the same way for all vendors. */
export function piecesOf(
  { messages, tools }: { readonly messages: readonly ModelMessage[]; readonly tools: readonly ModelTool[] },
  framing: Framing,
): RequestPieces {
  const texts: string[] = []
  let fixed = framing.request + (tools.length > 0 ? framing.tools : 0) + tools.length * framing.tool
  let guessed = false

  const guess = (tokens: number): void => {
    fixed += tokens
    guessed ||= tokens > 0
  }

  const addFile = (part: FilePart): void => {
    texts.push(part.name)
    const bytes = Math.floor((part.data ?? '').length * 0.75)
    if (part.as_text !== undefined) {
      texts.push(part.as_text)
      guess(pageTokens)
    } else if (part.data === undefined || !isTextFile(part)) guess(Math.max(pageTokens, Math.ceil(bytes / 10)))
    else if (bytes > maxTextSize) guess(Math.ceil(bytes / 2))
    else texts.push(Buffer.from(part.data, 'base64').toString('utf8'))
  }

  const add = (part: ContentPart): void => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        texts.push(part.text)
        guess(opaqueTokens(part.opaque))
        break
      case 'image':
        guess(imageTokens)
        break
      case 'file':
        addFile(part)
        break
      case 'tool_call':
        fixed += framing.call
        texts.push(part.name, part.invalid_arguments ?? JSON.stringify(part.arguments))
        guess(opaqueTokens(part.opaque))
        break
      case 'tool_result':
        fixed += framing.call
        for (const inner of part.content) add(inner)
    }
  }

  for (const { content } of messages) {
    fixed += framing.message
    for (const part of content) add(part)
  }
  return { texts: texts.filter((text) => text !== ''), tools: tools.map(textsOfTool), fixed, guessed }
}

const toolTexts = new WeakMap<ModelTool, readonly string[]>()

function textsOfTool(tool: ModelTool): readonly string[] {
  const known = toolTexts.get(tool)
  if (known) return known
  const texts = [tool.name, tool.description, JSON.stringify(tool.parameters)].filter((text) => text !== '')
  toolTexts.set(tool, texts)
  return texts
}

/** Encrypted reasoning has about seven characters per token; this assumes six. */
const opaqueTokens = (opaque: OpaquePart | undefined): number => (opaque ? Math.ceil(lengthOf(opaque.data) / 6) : 0)

function lengthOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  const members: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value)
  return members.reduce<number>((sum, member) => sum + lengthOf(member), 0)
}
