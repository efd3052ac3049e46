import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import { looksLikeInstruction, looksPlanted } from '@agent-service/sdk/memory-guards'
import type { ChatWindow } from '../chats/read-window.js'
import { normalText, oneLine, wellFormed, wordsOf } from '../common/text.js'
import { type ClaimEvidence, checkCitation, checkClaim, hasNoNewDetails } from '../guards/check-claim.js'
import { prepareMessage, prepareText } from '../guards/prepared.js'
import { fenced } from '../model/fence.js'
import { sourceDigest } from '../store/tombstones.js'
import { evidenceTools } from './evidence-tools.js'
import type { StageContext } from './stage-context.js'
import { type Claim, type ExtractResult, type PlaybookCandidate, storable } from './stage-results.js'
import { cutWindows, type TranscriptWindow } from './windows.js'

/** The most that one request may note. */
const maxClaims = 60
const maxPlaybooks = 5
/** The least words by which a person confirms a playbook: “ok” confirms nothing. */
const minPlaybookWords = 4
/** The most that one pass keeps. */
const maxPassClaims = 300

const citation = { message: Type.Integer({ minimum: 0 }), quote: Type.String({ minLength: 1, maxLength: 1_000 }) }
const time = Type.Optional(Type.String({ maxLength: 40 }))
const kind = Type.Union([
  Type.Literal('fact'),
  Type.Literal('preference'),
  Type.Literal('event'),
  Type.Literal('commitment'),
  Type.Literal('opinion'),
])

export const extractionSchema = Type.Object({
  claims: Type.Array(
    Type.Object({
      text: Type.String({ minLength: 3, maxLength: 280 }),
      kind,
      subject: Type.String({ minLength: 1, maxLength: 120 }),
      source: Type.Union([Type.Literal('person'), Type.Literal('agent')]),
      ...citation,
      evidence: Type.Optional(Type.Object(citation)),
      from: time,
      to: time,
    }),
    { maxItems: maxClaims },
  ),
  playbooks: Type.Array(
    Type.Object({
      title: Type.String({ minLength: 3, maxLength: 120 }),
      when_to_use: Type.String({ minLength: 3, maxLength: 200 }),
      steps: Type.String({ minLength: 3, maxLength: 4_000 }),
      pitfalls: Type.Optional(Type.String({ maxLength: 2_000 })),
      outcome: Type.Union([Type.Literal('success'), Type.Literal('failure')]),
      ...citation,
    }),
    { maxItems: maxPlaybooks },
  ),
})

type Extraction = Static<typeof extractionSchema>

/** Stage 1: what a part of a chat has that is worth remembering, each held against the chat. */
export async function extract(context: StageContext): Promise<ExtractResult> {
  const { pass, settings, limiter, signal } = context
  const window = await context.window()
  const limits = { maxTokens: settings.pkm_extract_max_tokens, maxMessages: settings.pkm_extract_max_messages }
  const windows = cutWindows(window, limits).filter((each) => hasPerson(window, each))
  const results = await allOrFirstError(windows, async (each, index) => {
    const work = async (): Promise<JsonObject> => {
      const release = await limiter.acquire({ signal })
      try {
        const noted = await context.ask(`extract.${index}`, taskFor(context, window, each))
        return storable(guarded(noted, context, window, each)) as JsonObject
      } finally {
        release()
      }
    }
    return (await context.part(`extract.${index}`, [pass.from, pass.to, each.text], work)) as unknown as ExtractResult
  })
  return merged(results)
}

/** Without a word of the person there is nothing to learn of them. */
const hasPerson = ({ messages, sequences }: ChatWindow, { from, to }: TranscriptWindow): boolean =>
  sequences.some((sequence) => sequence >= from && sequence <= to && messages.get(sequence)?.role === 'person')

const taskFor = (context: StageContext, window: ChatWindow, { text }: TranscriptWindow) => ({
  ...{ name: 'notes', instructions: context.prompts.extract.text, material: fenced('the chat', text), schema: extractionSchema },
  tools: evidenceTools(window, context),
  maxToolTurns: context.settings.pkm_consolidation_max_tool_turns,
  maxSubmissions: context.settings.pkm_consolidation_max_submissions,
})

function guarded(
  { claims, playbooks }: Extraction,
  context: StageContext,
  { messages }: ChatWindow,
  window: TranscriptWindow,
): ExtractResult {
  const { pass, settings, redact } = context
  const evidence: ClaimEvidence = {
    ...{ messages, from: window.from, redact },
    maxLookback: settings.pkm_extract_agent_evidence_lookback_messages,
  }
  const own = prepareText(playbooks.length === 0 ? '' : personalWords(messages, window))
  const refused: Record<string, number> = {}
  const refuse = (reason: string): readonly never[] => {
    refused[reason] = (refused[reason] ?? 0) + 1
    return []
  }
  const sourceOf = (quote: string, sequence: number) => {
    const message = messages.get(sequence)
    const messageId = message?.id ?? ''
    return { message_id: messageId, at: message?.at ?? pass.at, source_digest: sourceDigest({ chatId: pass.chat_id, messageId, quote }) }
  }
  return {
    claims: claims.flatMap((claim): readonly Claim[] => {
      const reason = claim.message > window.to ? 'message' : checkClaim(claim, evidence)
      if (reason !== undefined) return refuse(reason)
      const { kind, source } = claim
      const subject = oneLine(wellFormed(claim.subject), 120)
      if (redact(subject) !== subject || looksLikeInstruction(subject)) return refuse('instruction')
      const times = { valid_from: timeOf(claim.from), valid_to: timeOf(claim.to) }
      return [{ text: oneLine(wellFormed(claim.text), 280), kind, subject, source, ...sourceOf(claim.quote, claim.message), ...times }]
    }),
    playbooks: playbooks.flatMap((noted): readonly PlaybookCandidate[] => {
      const text = wellFormed(
        [noted.steps, noted.pitfalls].filter((part) => part !== undefined && part.trim() !== '').join('\n\nPitfalls:\n'),
      )
      const whole = [noted.title, noted.when_to_use, text].join('\n')
      const cited = { text: whole, quote: noted.quote, message: noted.message }
      const reason = noted.message > window.to ? 'message' : checkCitation(cited, evidence)
      if (reason !== undefined) return refuse(reason)
      // Steps may be orders, since they are for an agent; so nothing in them may come from elsewhere.
      if (wordsOf(noted.quote).length < minPlaybookWords) return refuse('quote')
      if (looksPlanted(whole) || !hasNoNewDetails(whole, own)) return refuse('instruction')
      const { outcome } = noted
      const when = oneLine(wellFormed(noted.when_to_use), 200)
      return [{ title: oneLine(wellFormed(noted.title), 120), when_to_use: when, text, outcome, ...sourceOf(noted.quote, noted.message) }]
    }),
    refused,
  }
}

const personalWords = (messages: ChatWindow['messages'], { from, to }: TranscriptWindow): string =>
  [...messages.values()]
    .filter(({ sequence, role }) => role === 'person' && sequence >= from && sequence <= to)
    .map((message) => prepareMessage(message).own.text)
    .join('\n')

/** A date or a time of the model's; what is none was not said. */
function timeOf(text: string | undefined): string | null {
  if (text === undefined || !/^\d{4}-\d{2}(-\d{2}([T ][\d:.]+(Z|[+-]\d{2}:?\d{2})?)?)?$/.test(text.trim())) return null
  const time = Date.parse(text.trim())
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function merged(results: readonly ExtractResult[]): ExtractResult {
  const seen = new Set<string>()
  const refused: Record<string, number> = {}
  for (const result of results)
    for (const [reason, count] of Object.entries(result.refused)) refused[reason] = (refused[reason] ?? 0) + count
  const claims = results
    .flatMap((result) => result.claims)
    .filter(({ text }) => {
      const key = normalText(text)
      return !seen.has(key) && seen.add(key)
    })
  return { claims: claims.slice(0, maxPassClaims), playbooks: results.flatMap((result) => result.playbooks), refused }
}

/** All results in order. After a failure the others end by themselves, then the first one is thrown. */
export async function allOrFirstError<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await Promise.allSettled(items.map(work))
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
