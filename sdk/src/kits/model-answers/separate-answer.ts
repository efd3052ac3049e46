import type { ImagePart, ModelEvent, ReasoningPart, TextPart, TokenLogprob, ToolCallPart } from '../../contracts/provider-adapter/index.js'
import { createPictureFinder, type PictureFinder } from './pictures/find-pictures.js'
import { pictureSentence, readPicture } from './pictures/read-picture.js'
import { createReasoningSplitter, type ReasoningSplitter, type SplitPiece } from './reasoning/split-reasoning.js'

/**
 * Where reasoning is looked for in a text: nowhere; at its beginning, with an opening tag; or also
 * with a closing tag only, for models whose prompt ends with the opening one.
 */
export type InlineReasoning = 'never' | 'opened' | 'expected'

/** Takes reasoning and pictures out of the texts of one answer. */
export interface AnswerSeparator {
  /**
   * The events that one of the adapter's leads to. Their parts are numbered anew: a text that holds
   * reasoning or pictures becomes several parts.
   */
  take(event: ModelEvent): readonly ModelEvent[]
}

type Finished = Extract<ModelEvent, { type: 'response.finished' }>
type AnswerPart = Finished['content'][number]

/** How the texts of an answer are read. */
export interface AnswerReading {
  /** Where it is looked for. */
  readonly reasoning: InlineReasoning
  /** The answer is to be JSON: pictures in its texts stay there, or it would be JSON no longer. Default false. */
  readonly json?: boolean
}

/** A part as it is passed on. */
interface Outgoing {
  /** Its place among the parts. */
  readonly index: number
  readonly kind: 'text' | 'reasoning' | 'picture' | 'whole'
  text: string
  readonly picture?: ImagePart
  readonly tokens: TokenLogprob[]
}

/** A part of the adapter's, which becomes one or several. */
interface Incoming {
  readonly parts: Outgoing[]
  /** Of a text. */
  readonly reader?: { readonly splitter: ReasoningSplitter; readonly finder: PictureFinder }
  text: string
  /** Tokens whose text is not known to be text yet. */
  readonly early: TokenLogprob[]
  /** Another part came since its last piece. */
  interrupted: boolean
}

/** Makes the separator of an answer. */
export function createAnswerSeparator({ reasoning, json = false }: AnswerReading): AnswerSeparator {
  const outgoing: Outgoing[] = []
  const incoming: Incoming[] = []
  let hasReasoning = false

  const createPart = (kind: Outgoing['kind'], picture?: ImagePart): Outgoing => {
    const part: Outgoing = { index: outgoing.length, kind, text: '', tokens: [], ...(picture && { picture }) }
    outgoing.push(part)
    return part
  }
  const openWhole = (): Incoming => ({ parts: [createPart('whole')], text: '', early: [], interrupted: false })
  const openText = (): Incoming => {
    const expected = reasoning === 'expected' && !hasReasoning && !incoming.some(({ reader }) => reader)
    const splitter = reasoning === 'never' ? plainSplitter : createReasoningSplitter({ expected, json })
    return { parts: [], reader: { splitter, finder: json ? plainFinder : createPictureFinder() }, text: '', early: [], interrupted: false }
  }
  /** Parts that came without events have one place each, before those that follow. */
  const at = (part: number, open: () => Incoming): Incoming => {
    while (incoming.length < part) incoming.push(openWhole())
    const known = incoming[part]
    if (known) return known
    const opened = open()
    incoming.push(opened)
    return opened
  }
  const partFor = (source: Incoming, kind: 'text' | 'reasoning'): Outgoing => {
    const last = source.parts.at(-1)
    const goesOn = last?.kind === kind && !(kind === 'reasoning' && source.interrupted)
    if (goesOn) return last
    const part = createPart(kind)
    source.parts.push(part)
    return part
  }
  const addDelta = (source: Incoming, kind: 'text' | 'reasoning', text: string, events: ModelEvent[]): void => {
    if (text === '') return
    const part = partFor(source, kind)
    source.interrupted = false
    part.text += text
    const tokens = kind === 'text' ? source.early.splice(0) : []
    part.tokens.push(...tokens)
    const logprobs = tokens.length > 0 && { logprobs: tokens }
    if (kind === 'text') events.push({ type: 'text.delta', part: part.index, text, ...logprobs })
    else events.push({ type: 'reasoning.delta', part: part.index, text })
  }
  const addText = (source: Incoming, text: string, finder: PictureFinder, events: ModelEvent[], atEnd = false): void => {
    for (const piece of [...finder.add(text), ...(atEnd ? finder.end() : [])]) {
      if ('text' in piece) addDelta(source, 'text', piece.text, events)
      else source.parts.push(createPart('picture', { type: 'image', media_type: piece.picture.mediaType, data: piece.picture.data }))
    }
  }
  const addPieces = (source: Incoming, pieces: readonly SplitPiece[], finder: PictureFinder, events: ModelEvent[]): void => {
    for (const piece of pieces) {
      if (piece.kind === 'reasoning') {
        addText(source, '', finder, events, true)
        addDelta(source, 'reasoning', piece.text, events)
      } else {
        // What was shown as reasoning is the answer.
        if (piece.withdraws) for (const part of source.parts) if (part.kind === 'reasoning') part.text = ''
        addText(source, piece.text, finder, events)
      }
      // Tokens of reasoning are not those of the text.
      if (piece.kind === 'reasoning') source.early.length = 0
    }
  }
  /** A piece of a text; `end`: its last, and whether the answer ran into its limit. */
  const read = (source: Incoming, text: string, events: ModelEvent[], end?: { readonly cut: boolean }): void => {
    if (!source.reader) return
    const { splitter, finder } = source.reader
    source.text += text
    addPieces(source, [...splitter.add(text), ...(end ? splitter.end(end.cut) : [])], finder, events)
    if (end) addText(source, '', finder, events, true)
  }

  /** A call comes: what the texts go on with may be reasoning again. */
  const interrupt = (events: ModelEvent[]): void => {
    for (const source of incoming) {
      if (source.reader) addPieces(source, source.reader.splitter.resume(), source.reader.finder, events)
      source.interrupted = true
    }
  }

  const finish = (finished: Finished): readonly ModelEvent[] => {
    const events: ModelEvent[] = []
    const content: (AnswerPart | undefined)[] = []
    const place = (part: Outgoing, value: AnswerPart): void => {
      content[part.index] = value
    }
    const cut = finished.stop_reason === 'length'
    for (const [index, part] of finished.content.entries()) {
      const source = at(index, part.type === 'text' ? openText : openWhole)
      if (part.type === 'text' && source.reader) placeText(source, part, { cut, events, place })
      else for (const whole of source.parts.slice(0, 1)) place(whole, checked(part, whole.index, events))
    }
    return [...events, renumbered(finished, content)]
  }
  const placeText = (
    source: Incoming,
    part: TextPart,
    {
      cut,
      events,
      place,
    }: { readonly cut: boolean; readonly events: ModelEvent[]; readonly place: (part: Outgoing, value: AnswerPart) => void },
  ): void => {
    const rest = part.text.startsWith(source.text) ? part.text.slice(source.text.length) : ''
    const wasShown = source.text !== ''
    const added: ModelEvent[] = []
    read(source, rest, added, { cut })
    const [only] = source.parts
    // A text that stays as it is has the events that its adapter gave it.
    if (wasShown || only?.text !== part.text) for (const event of added) events.push(event)
    if (source.parts.length === 0) place(createPart('text'), part)
    else if (source.parts.length === 1 && only?.kind === 'text' && (only.text === part.text || source.text !== part.text)) place(only, part)
    else {
      const first = source.parts.find(({ kind }) => kind === 'text')
      for (const each of source.parts) place(each, partOf(each, each === first ? part : undefined))
    }
  }
  /** The last event, with the parts that exist. */
  const renumbered = (finished: Finished, content: readonly (AnswerPart | undefined)[]): Finished => {
    const isSame = content.length === finished.content.length && content.every((part, index) => part === finished.content[index])
    if (isSame) return finished
    const { logprobs, ...rest } = finished
    // A part that never ended, such as half a call, has no place in the content; only the last can be one.
    const parts = Array.from(content, (part) => part ?? { type: 'reasoning' as const, text: '' })
    const tokens =
      logprobs?.flatMap((entry) => {
        const texts = incoming[entry.part]?.parts.filter(({ kind }) => kind === 'text') ?? []
        const [only] = texts
        const isWhole = texts.length === 1 && incoming[entry.part]?.parts.length === 1
        return texts.map((text) => ({ part: text.index, tokens: isWhole && text === only ? entry.tokens : text.tokens }))
      }) ?? []
    return { ...rest, content: parts, ...(tokens.length > 0 && { logprobs: tokens }) }
  }

  return {
    take(event) {
      switch (event.type) {
        case 'response.started':
          return [event]
        case 'response.finished':
          return finish(event)
        case 'text.delta': {
          const events: ModelEvent[] = []
          const source = at(event.part, openText)
          const last = source.parts.at(-1)
          // Tokens without text are parts of a character.
          if (event.text === '' && last?.kind === 'text') {
            last.tokens.push(...(event.logprobs ?? []))
            return [{ ...event, part: last.index }]
          }
          source.early.push(...(event.logprobs ?? []))
          read(source, event.text, events)
          // Those of a tag belong to no text.
          if (source.reader?.splitter.afterTag === true) source.early.length = 0
          return events
        }
        default: {
          hasReasoning ||= event.type === 'reasoning.delta'
          const events: ModelEvent[] = []
          if (event.type === 'tool_call.started') interrupt(events)
          const [part] = at(event.part, openWhole).parts
          events.push(part ? { ...event, part: part.index } : event)
          return events
        }
      }
    },
  }
}

/** Reads nothing as reasoning. */
const plainSplitter: ReasoningSplitter = {
  afterTag: false,
  add: (text) => [{ kind: 'text', text }],
  resume: () => [],
  end: () => [],
}

/** Finds no pictures. */
const plainFinder: PictureFinder = { add: (text) => [{ text }], end: () => [] }

/** A part of a text that became several; the vendor's data stays with the first text. */
function partOf({ kind, text, picture }: Outgoing, origin: TextPart | undefined): AnswerPart {
  if (picture) return picture
  if (kind === 'reasoning') return { type: 'reasoning', text } satisfies ReasoningPart
  return { type: 'text', text, ...(origin?.opaque && { opaque: origin.opaque }) }
}

/**
 * A part that is no text. A picture has the type of its bytes; one at an address, which is not
 * fetched, becomes a link, and a broken one a sentence.
 */
function checked(part: AnswerPart, index: number, events: ModelEvent[]): TextPart | ReasoningPart | ToolCallPart | ImagePart {
  if (part.type !== 'image') return part
  const read = part.data === undefined ? linkTo(part.url ?? '') : readPicture({ mediaType: part.media_type, data: part.data })
  if ('sentence' in read) {
    events.push({ type: 'text.delta', part: index, text: read.sentence })
    return { type: 'text', text: read.sentence }
  }
  return read.mediaType === part.media_type && read.data === part.data ? part : { ...part, media_type: read.mediaType, data: read.data }
}

/** A link in Markdown, apart from the text before and after it. */
function linkTo(address: string): { readonly sentence: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return { sentence: pictureSentence('its address cannot be opened') }
  return { sentence: `\n\n[Picture](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})\n\n` }
}
