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
import { placesOf } from './file-lines.js'
import type { Summaries } from './summaries.js'
import { shorten, transcriptOf } from './transcript.js'
import type { SummaryWriter } from './write-summary.js'

/** The longest and the shortest summary that a model is asked for, in tokens. */
const maxSummaryLength = 2_000
const minSummaryLength = 80
/**
 * The most text of a person's messages that is kept verbatim beside a summary that ends in the
 * middle of their run, in UTF-16 code units.
 */
const maxTaskLength = 20_000

/** The chat to summarise, and how. */
export interface CompactionRequest {
  readonly chat: Chat
  readonly group: string
  /** The size of the system message and the tools in the prompt, in tokens. */
  readonly fixedTokens: number
  /**
   * The vendor has refused the conversation as too long: at most half of it stays, whatever the
   * stated size of the window.
   */
  readonly refused: boolean
  /** Whether a turn that is too long as a whole may be cut between two of its steps. */
  readonly withinTurns: boolean
  /** Messages from this sequence on are not part of the conversation yet. */
  readonly before: number
  /** Nor are these messages, which a person wrote meanwhile. */
  readonly unseen: readonly string[]
}

/** What a summary will replace in the prompt. */
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

/** The text of a summary, with what it replaces. */
export type SummaryDraft = Pick<
  Summary,
  'chat_id' | 'user_id' | 'branch_id' | 'until' | 'text' | 'task' | 'tokens_before' | 'tokens' | 'model'
>

/** Decides which part of a chat is summarised, and has it summarised. Stores nothing. */
export interface Compactor {
  /**
   * Undefined: there is nothing to summarise. Reads only messages that are not summarised yet, and
   * at most as many as one summary can cover.
   */
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
      if (tokens >= tokensBefore) throw summaryUnusableError.create({ reason: 'it is longer than the text it would replace.' })
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
   * The newest messages from old to new, with the size of each. Reads until they have this many
   * tokens, then on to the message of a person that began that run and one message more. This shows
   * what the run is about, and whether anything precedes it.
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

  /**
   * The transcript of these messages and of those before them, as far back as one summary can
   * cover.
   */
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
    return { transcript: all ? transcript : `(Older messages are not included.)\n${transcript}`, tokensBefore }
  }
}

/** The search for the beginning of a turn stops at this many times the size that is read anyway. */
const maxTurnShare = 8
/** The size of the line that states when a person wrote, in tokens. */
const temporalTokens = 20

/** The size of a stored message in a prompt, in tokens. */
const sizeOf = ({ status, role, content }: Message): number =>
  status === 'open' ? 0 : estimateTokens(content) + (role === 'user' ? temporalTokens : 0)

/**
 * What the person has asked for in the run that is cut, verbatim: the message that it answers, and
 * what they wrote to it since. The task of the previous summary comes first. Null if the cut is
 * between two runs.
 */
function taskOf(messages: readonly Message[], { index, kind }: CutPoint, previous: Summary | undefined): string | null {
  const run = messages[index]?.run_id
  const begin = messages.findIndex(({ run_id }) => run_id === run)
  // A regenerated answer has a run of its own, after the message of an older one.
  const from = messages[begin]?.role === 'user' || messages[begin - 1]?.role !== 'user' ? begin : begin - 1
  const asked = messages.slice(from, index).filter(({ role }) => role === 'user')
  const earlier = from === 0 && messages[0]?.sequence === previous?.until ? (previous?.task ?? null) : null
  const texts = [...(earlier === null ? [] : [earlier]), ...asked.map(textOf)]
  if (texts.length > 0) return shorten(texts.join('\n\n'), maxTaskLength)
  if (kind === 'turn') return null
  const before = messages.slice(0, index).findLast(({ role }) => role === 'user')
  return before ? shorten(textOf(before), maxTaskLength) : (previous?.task ?? null)
}

const textOf = ({ content, attachments }: Message): string =>
  content.map((part, index) => (part.type === 'text' ? part.text : `(${part.type})${placesOf(attachments?.[index])}`)).join('\n')
