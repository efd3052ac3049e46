import type { MemoryReader } from '@agent-service/sdk/contracts/memory-backend'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { normalText, oneLine } from '../common/text.js'
import { type PromptLine, type PromptList, type PromptPlaybook, promptListOf } from '../store/prompt-list.js'
import type { StoredMemory } from '../store/records.js'
import { isInScope } from './readable.js'
import { isFaded } from './score.js'

/** Characters a token, as the caller measures. */
const perToken = 4
const maxIndexLine = 300

/** Who reads when, and how much. */
export interface PromptQuestion extends MemoryReader {
  readonly maxTokens: number
  readonly now: number
}

/**
 * What an agent reads with each model call: pinned memories, then short ones by score, then the list
 * of playbooks; whole lines only, each block within its own budget and both within `maxTokens`.
 * The text is undefined if there is nothing. Undefined altogether: the list has left out what may belong in it.
 */
export function promptTextOf(
  list: PromptList,
  { maxTokens, now, ...reader }: PromptQuestion,
  settings: MemorySettings,
): { readonly text: string | undefined } | undefined {
  if (list.half_life_secs !== settings.pkm_short_memory_half_life_secs) return undefined
  const all = maxTokens * perToken
  const lines = list.lines.items.filter(
    ({ scope, valid_to: validTo }) => isInScope(scope, reader) && (validTo === null || now < Date.parse(validTo)),
  )
  const short = block('Remembered:', shortLines(lines, now, settings), {
    maxLines: settings.pkm_short_memory_top_n,
    maxLength: Math.min(all, settings.pkm_short_memory_token_cap * perToken),
  })
  if (!short.isFull && mayLackLines(list, now, settings)) return undefined
  const rest = short.text === '' ? all : all - short.text.length - separator.length
  const playbooks = list.playbooks.items.filter(({ scope }) => isInScope(scope, reader))
  const index = block('Playbooks (playbook_read opens one):', playbookLines(playbooks), {
    maxLines: maxPlaybooks,
    maxLength: Math.min(rest, settings.pkm_playbook_index_token_cap * perToken),
  })
  if (!index.isFull && list.playbooks.until !== null) return undefined
  const text = [short.text, index.text].filter((part) => part !== '').join(separator)
  return { text: text === '' ? undefined : text }
}

/** The same from all memories, where a list lacks some. */
export function wholePromptTextOf(
  memories: Iterable<StoredMemory>,
  question: PromptQuestion,
  settings: MemorySettings,
): string | undefined {
  const list = promptListOf(memories, { halfLifeSecs: settings.pkm_short_memory_half_life_secs, now: question.now, limits: noLimits })
  return promptTextOf(list, question, settings)?.text
}

const noLimits = { maxLines: Number.POSITIVE_INFINITY, maxPlaybooks: Number.POSITIVE_INFINITY }
const separator = '\n\n'
const maxPlaybooks = 200
/** No line is shorter: with less room a block is full. */
const minLine = '- x'.length

/** Whether what the list has left out may be in a prompt: not if the last one that it has is faded, for all behind it are too. */
function mayLackLines({ lines, omits_lasting: omitsLasting }: PromptList, now: number, settings: MemorySettings): boolean {
  if (lines.until === null) return false
  const { short, pinned } = lines.until
  return omitsLasting || short === null || pinned || short.lasting || !isFaded(short, now, settings)
}

/** A line that does not fit is left out, and shorter ones after it are still taken. `isFull`: no other line can follow. */
function block(
  heading: string,
  lines: Iterable<string>,
  limits: { readonly maxLines: number; readonly maxLength: number },
): { readonly text: string; readonly isFull: boolean } {
  let text = heading
  let count = 0
  for (const line of lines) {
    if (count === limits.maxLines) break
    if (text.length + 1 + line.length > limits.maxLength) continue
    text += `\n${line}`
    count += 1
  }
  const isFull = count === limits.maxLines || text.length + 1 + minLine > limits.maxLength
  return { text: count === 0 ? '' : text, isFull }
}

function* shortLines(lines: readonly PromptLine[], now: number, settings: MemorySettings): Generator<string> {
  const seen = new Set<string>()
  for (const { text, short } of lines) {
    if (short !== null && isFaded(short, now, settings)) continue
    const key = normalText(text) || text
    if (seen.has(key) || text.trim() === '') continue
    seen.add(key)
    yield `- ${text.replaceAll(/\s*\n\s*/g, ' ').trim()}`
  }
}

function* playbookLines(playbooks: readonly PromptPlaybook[]): Generator<string> {
  for (const { memory_id: id, title, when_to_use: whenToUse } of playbooks)
    yield oneLine(`- ${id}: ${title}${whenToUse === '' ? '' : ` – ${whenToUse}`}`, maxIndexLine)
}
