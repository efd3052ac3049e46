import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference, InferenceAttribution } from '@agent-service/sdk/services/inference'
import type { TraceContext } from '@agent-service/sdk/services/telemetry'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Chat } from '../store/chats/chat.js'
import type { Message } from '../store/chats/message.js'
import type { Summary } from '../store/chats/summary.js'
import { compactionThreshold, contextWindow } from './budget.js'
import { type CutPoint, chooseCut } from './cut-points.js'
import { summaryUnusableError } from './errors.js'
import { estimateTokens } from './estimate-tokens.js'
import type { Summaries } from './summaries.js'
import { shorten, transcriptOf } from './transcript.js'
import type { SummaryWriter } from './write-summary.js'

/** The longest that a summary is asked to be, and the shortest, in tokens. */
const maxSummaryLength = 2_000
const minSummaryLength = 80
/** The most of a person's messages that is kept word for word beside a summary that ends in the middle of their run, in UTF-16 code units. */
const maxTaskLength = 20_000

/** What is to be summarised. */
export interface CompactionRequest {
  readonly chat: Chat
  readonly group: string
  /** What the system message and the tools take of the prompt, in tokens. */
  readonly fixedTokens: number
  /** The vendor has refused the conversation as too long: at the most half of it stays, however large the window is said to be. */
  readonly refused: boolean
  /** Whether a turn may be cut between two of its steps, where it is too long as a whole. */
  readonly withinTurns: boolean
  /** Messages from this sequence on are not part of the conversation yet. */
  readonly before: number
  /** Nor are these: what a person wrote meanwhile. */
  readonly unseen: readonly string[]
}

/** What a summary will stand for. */
export interface CompactionPlan {
  readonly chat: Chat
  readonly group: string
  /** The sequence of the first message that stays, and the branch of the one before it. */
  readonly until: number
  readonly branchId: string
  readonly task: string | null
  readonly transcript: string
  readonly previous: Summary | undefined
  readonly tokensBefore: number
  /** How long the summary should be, in tokens. */
  readonly length: number
}

/** What a summary says, with what it stands for. */
export type SummaryDraft = Pick<
  Summary,
  'chat_id' | 'user_id' | 'branch_id' | 'until' | 'text' | 'task' | 'tokens_before' | 'tokens' | 'model'
>

/** Decides what of a chat is summarised, and has it done. Stores nothing. */
export interface Compactor {
  /** Undefined: there is nothing that could be summarised. Reads what is not summarised yet, and of that not more than one summary can take in. */
  plan(place: CompactionRequest): Promise<CompactionPlan | undefined>
  /** @throws `summary_unusable`, what the inference throws, the signal's reason. */
  draft(
    plan: CompactionPlan,
    order: {
      readonly attribution: InferenceAttribution
      readonly span?: TraceContext | undefined
      readonly signal: AbortSignal
      onUsage(usage: ModelUsage): void
    },
  ): Promise<SummaryDraft>
}

export function createCompactor(dependencies: {
  readonly database: Database
  readonly inference: Inference
  readonly summaries: Pick<Summaries, 'along'>
  readonly writer: SummaryWriter
}): Compactor {
  const { database, inference, summaries, writer } = dependencies

  const countText = async (group: string, text: string, signal: AbortSignal): Promise<number> =>
    (await inference.countTokens({ group, messages: [{ role: 'user', content: [{ type: 'text', text }] }], tools: [] }, { signal })).tokens

  return {
    async plan({ chat, group, fixedTokens, refused, withinTurns, before, unseen }) {
      const threshold = compactionThreshold(contextWindow(inference, group))
      const previous = await summaries.along(chat.id, chat.path)
      const from = previous?.until ?? 0
      const { newest, sizes } = await readNewest({ chat, from, to: before, unseen }, 2 * threshold)
      const room = Math.max(0, threshold - fixedTokens)
      const total = sizes.reduce((sum, size) => sum + size, 0) + (previous?.tokens ?? 0)
      const half = Math.floor((refused ? Math.min(room, total) : room) / 2)
      const length = Math.max(minSummaryLength, Math.min(maxSummaryLength, Math.floor(half / 3)))
      const target = Math.max(0, half - length)
      const cut = chooseCut(newest, sizes, { target, longest: withinTurns ? Math.floor(target * 1.5) : Number.POSITIVE_INFINITY })
      const last = cut && newest[cut.index - 1]
      const first = cut && newest[cut.index]
      if (!cut || !last || !first || (cut.kind === 'step' && !withinTurns)) return undefined
      const older = await readOlder(chat, from, newest.slice(0, cut.index), writer.maxTranscriptLength(group, length))
      return {
        chat,
        group,
        until: first.sequence,
        branchId: last.branch_id,
        task: taskOf(newest, cut, previous),
        previous,
        length,
        ...older,
        tokensBefore: older.tokensBefore + (previous?.tokens ?? 0),
      }
    },

    async draft(plan, order) {
      const { chat, group, length, previous, transcript, task, tokensBefore } = plan
      const earlier =
        previous && previous.text + (previous.task === null ? '' : `\nThe person had asked for this:\n${shorten(previous.task, 2_000)}`)
      const { text, model } = await writer.write({ transcript, previous: earlier }, { group, length, ...order })
      const tokens = await countText(group, task === null ? text : `${text}\n${task}`, order.signal)
      if (tokens >= tokensBefore) throw summaryUnusableError.create({ reason: 'it is longer than what it would stand for.' })
      return {
        chat_id: chat.id,
        user_id: chat.user_id,
        branch_id: plan.branchId,
        until: plan.until,
        text,
        task,
        tokens_before: tokensBefore,
        tokens,
        model,
      }
    },
  }

  /**
   * The newest messages from old to new, with the size of each: until they have this many tokens, then to the message of a person that began that run and
   * one message more, so that what the run is about and whether there is anything before it are known.
   */
  async function readNewest(
    { chat, from, to, unseen }: { readonly chat: Chat; readonly from: number; readonly to: number; readonly unseen: readonly string[] },
    most: number,
  ): Promise<{ readonly newest: readonly Message[]; readonly sizes: readonly number[] }> {
    const newest: Message[] = []
    const sizes: number[] = []
    let sum = 0
    for await (const message of messagesAlong(database, chat.path, { order: 'descending', from, to })) {
      if (unseen.includes(message.id)) continue
      const newer = newest.at(-1)
      const isWhole = sum > most && newer?.role === 'user' && newer.run_id !== message.run_id
      const size = sizeOf(message)
      newest.push(message)
      sizes.push(size)
      sum += size
      if (isWhole || sum > maxTurnShare * most) break
    }
    return { newest: newest.reverse(), sizes: sizes.reverse() }
  }

  /** The transcript of these messages and of those before them, as far back as one summary can take in. */
  async function readOlder(
    chat: Chat,
    from: number,
    known: readonly Message[],
    longest: number,
  ): Promise<{ readonly transcript: string; readonly tokensBefore: number }> {
    const entries: string[] = []
    let length = 0
    let tokensBefore = 0
    const take = (message: Message): boolean => {
      const entry = transcriptOf(message)
      if (entries.length > 0 && length + entry.length > longest) return false
      tokensBefore += sizeOf(message)
      if (entry === '') return true
      entries.push(entry)
      length += entry.length + 1
      return true
    }
    const whole = known.toReversed().every(take)
    const before = known[0]?.sequence ?? 0
    let all = whole
    if (whole && before > from) {
      for await (const message of messagesAlong(database, chat.path, { order: 'descending', from, to: before })) {
        if (take(message)) continue
        all = false
        break
      }
    }
    const transcript = entries.reverse().join('\n')
    return { transcript: all ? transcript : `(Older messages are not part of this.)\n${transcript}`, tokensBefore }
  }
}

/** A turn is looked through for its beginning until it has this many times what is looked at anyway. */
const maxTurnShare = 8
/** What the line has that says when a person wrote, in tokens. */
const temporalTokens = 20

/** What a stored message takes of a prompt, in tokens. */
const sizeOf = ({ status, role, content }: Message): number =>
  status === 'open' ? 0 : estimateTokens(content) + (role === 'user' ? temporalTokens : 0)

/**
 * What the person has asked for in the run that is cut, word for word: the message that it answers, and what they wrote to it since. What is known to the
 * summary before comes first. Null where the cut is between two runs.
 */
function taskOf(messages: readonly Message[], { index, kind }: CutPoint, previous: Summary | undefined): string | null {
  const run = messages[index]?.run_id
  const begin = messages.findIndex(({ run_id }) => run_id === run)
  // An answer that is made anew has a run of its own, behind the message of an older one.
  const from = messages[begin]?.role === 'user' || messages[begin - 1]?.role !== 'user' ? begin : begin - 1
  const asked = messages.slice(from, index).filter(({ role }) => role === 'user')
  const earlier = from === 0 && messages[0]?.sequence === previous?.until ? (previous?.task ?? null) : null
  const texts = [...(earlier === null ? [] : [earlier]), ...asked.map(textOf)]
  if (texts.length > 0) return shorten(texts.join('\n\n'), maxTaskLength)
  if (kind === 'turn') return null
  const before = messages.slice(0, index).findLast(({ role }) => role === 'user')
  return before ? shorten(textOf(before), maxTaskLength) : (previous?.task ?? null)
}

const textOf = ({ content }: Message): string => content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')
