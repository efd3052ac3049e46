import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, ModelEvent, ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type ArgumentsJoiner, createArgumentsJoiner, parseArguments, pushDelta, type ToolNames } from '@agent-service/sdk/provider-kit'
import { imageMediaType } from './media-blocks.js'
import { reasoningPart } from './opaque-reasoning.js'

/** A part of an answer so far. */
type Slot =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'reasoning'; text: string; signature: string; redacted: string[]; closed: boolean }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly joined: ArgumentsJoiner; closed: boolean }
  | { readonly kind: 'image'; readonly format: string; data: string[] }

/** The parts of an answer, in the order in which their first piece came. */
export interface ContentBlocks {
  addText(block: number, text: string, events: ModelEvent[]): void
  addReasoning(block: number, piece: ReasoningPiece, events: ModelEvent[]): void
  startCall(block: number, call: StartedCall, events: ModelEvent[]): void
  addArguments(block: number, text: string, events: ModelEvent[]): void
  /** The format of the image that follows under this number. */
  startImage(block: number, format: string): void
  /** A piece of an image, in base64. */
  addImage(block: number, data: string): void
  /** The block is complete; its number may be used again. */
  close(block: number, events: ModelEvent[]): void
  /** The parts that ended. `cutByLimit`: the last one may be incomplete. */
  content(cutByLimit: boolean): readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[]
  /** In UTF-16 code units. */
  readonly characters: { readonly output: number; readonly reasoning: number }
}

/** A piece of reasoning. */
export interface ReasoningPiece {
  readonly text?: string | undefined
  readonly signature?: string | undefined
  /** Base64. */
  readonly redacted?: string | undefined
}

/** The head of a call. */
export interface StartedCall {
  readonly id: string | undefined
  readonly name: string
  /** The vendor runs it itself; it is not a tool call of the run. */
  readonly isServers: boolean
}

/** Dependencies of the blocks. */
export interface ContentBlocksOptions {
  readonly vendor: string
  readonly names: ToolNames
  /** The tool, by its name on the wire, whose arguments are the answer itself. */
  readonly answerTool: string | undefined
}

/**
 * What is open under a number: a part, the answer in the arguments of a tool, or ignored content.
 */
type Open = { readonly part: number } | { answerText: string } | 'ignored'

/** Makes an answer without parts. */
export function createContentBlocks({ vendor, names, answerTool }: ContentBlocksOptions): ContentBlocks {
  const slots: Slot[] = []
  const open = new Map<number, Open>()
  const imageFormats = new Map<number, string>()

  /** The open part of this kind under a number, else a new one. */
  const slotOf = <K extends Slot['kind']>(
    block: number,
    kind: K,
    make: () => Extract<Slot, { kind: K }>,
  ): [Extract<Slot, { kind: K }>, number] => {
    const known = open.get(block)
    const slot = known !== undefined && typeof known === 'object' && 'part' in known ? slots[known.part] : undefined
    if (slot?.kind === kind && known !== undefined && typeof known === 'object' && 'part' in known)
      return [slot as Extract<Slot, { kind: K }>, known.part]
    const made = make()
    const part = slots.push(made) - 1
    open.set(block, { part })
    return [made, part]
  }

  const addText = (block: number, text: string, events: ModelEvent[]): void => {
    if (text === '') return
    const [slot, part] = slotOf(block, 'text', () => ({ kind: 'text', text: '' }))
    slot.text += text
    pushDelta(events, { type: 'text.delta', part, text })
  }

  const showArguments = (part: number, text: string, events: ModelEvent[]): void => {
    if (text !== '') events.push({ type: 'tool_call.delta', part, arguments_text: text })
  }

  return {
    addText,
    addReasoning(block, { text = '', signature = '', redacted }, events) {
      if (text === '' && signature === '' && redacted === undefined) return
      const [slot, part] = slotOf(block, 'reasoning', () => ({ kind: 'reasoning', text: '', signature: '', redacted: [], closed: false }))
      slot.text += text
      slot.signature += signature
      if (redacted !== undefined) slot.redacted.push(redacted)
      pushDelta(events, { type: 'reasoning.delta', part, text })
    },
    startCall(block, { id, name, isServers }, events) {
      if (isServers) return void open.set(block, 'ignored')
      if (name === answerTool) return void open.set(block, { answerText: '' })
      const call: Slot = {
        kind: 'call',
        id: id ?? `call_${slots.length}`,
        name: names.own(name),
        joined: createArgumentsJoiner(),
        closed: false,
      }
      const part = slots.push(call) - 1
      open.set(block, { part })
      events.push({ type: 'tool_call.started', part, provider_call_id: call.id, name: call.name })
    },
    addArguments(block, text, events) {
      const target = open.get(block)
      if (text === '' || target === undefined || target === 'ignored') return
      if ('answerText' in target) {
        target.answerText += text
        return
      }
      const slot = slots[target.part]
      if (slot?.kind !== 'call') return
      showArguments(target.part, slot.joined.add(text), events)
    },
    startImage: (block, format) => void imageFormats.set(block, format),
    addImage(block, data) {
      if (data === '') return
      const format = imageFormats.get(block) ?? 'png'
      slotOf(block, 'image', () => ({ kind: 'image', format, data: [] }))[0].data.push(data)
    },
    close(block, events) {
      const target = open.get(block)
      open.delete(block)
      if (target === undefined || target === 'ignored') return
      // Emitted at its end: only then is it complete, and the same streamed or not.
      if ('answerText' in target) return addText(block, answerOf(target.answerText), events)
      const slot = slots[target.part]
      if (slot?.kind === 'call') showArguments(target.part, slot.joined.end(), events)
      if (slot?.kind === 'call' || slot?.kind === 'reasoning') slot.closed = true
    },
    content(cutByLimit) {
      return slots.flatMap((slot, index) => partsOf(slot, { vendor, isLastOfCut: cutByLimit && index === slots.length - 1 }))
    },
    get characters() {
      const sum = (kinds: readonly Slot['kind'][]): number =>
        slots.reduce((total, slot) => (kinds.includes(slot.kind) ? total + lengthOf(slot) : total), 0)
      return { output: sum(['text', 'call']), reasoning: sum(['reasoning']) }
    },
  }
}

/** The part of a slot; `undefined` for a call that did not end. */
function partsOf(
  slot: Slot,
  { vendor, isLastOfCut }: { readonly vendor: string; readonly isLastOfCut: boolean },
): readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[] {
  switch (slot.kind) {
    case 'text':
      return [{ type: 'text', text: slot.text }]
    case 'reasoning':
      return [reasoningPart(signedBlock(slot), vendor) ?? { type: 'reasoning', text: slot.text }]
    case 'image':
      return [{ type: 'image', media_type: imageMediaType(slot.format), data: joinBase64(slot.data) }]
    case 'call': {
      const part = callPart(slot, isLastOfCut)
      return part ? [part] : []
    }
  }
}

/**
 * A signature counts only once its block has ended: half of one would be refused with the next
 * request.
 */
const signedBlock = ({ text, signature, redacted, closed }: Extract<Slot, { kind: 'reasoning' }>) => ({
  text,
  signature: closed && signature !== '' ? signature : undefined,
  redacted: closed && redacted.length > 0 ? joinBase64(redacted) : undefined,
})

/** The part of a call; `undefined` if its arguments have not ended. */
function callPart({ id, name, joined, closed }: Extract<Slot, { kind: 'call' }>, isLastOfCut: boolean): ToolCallPart | undefined {
  const parsed = parseArguments(joined.text)
  const isUncertain = 'invalid' in parsed || Object.keys(parsed.arguments).length === 0
  if (isUncertain && (isLastOfCut || !closed)) return undefined
  const base = { type: 'tool_call', call_id: id, provider_call_id: id, name } as const
  return 'invalid' in parsed ? { ...base, arguments: {}, invalid_arguments: parsed.invalid } : { ...base, arguments: parsed.arguments }
}

/** The answer in the arguments of its tool: JSON if possible, else the text. */
function answerOf(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  return 'invalid' in parsed ? parsed.invalid : JSON.stringify(parsed.arguments satisfies JsonObject)
}

/** A single piece stays as it is; several pieces were encoded separately. */
const joinBase64 = (pieces: readonly string[]): string => {
  const [only] = pieces
  return pieces.length === 1 && only !== undefined
    ? only
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}

function lengthOf(slot: Slot): number {
  if (slot.kind === 'text' || slot.kind === 'reasoning') return slot.text.length
  return slot.kind === 'call' ? slot.name.length + slot.joined.text.length : 0
}
