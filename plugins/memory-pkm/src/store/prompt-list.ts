import type { MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { changedLeading, type Leading, type LeadingOptions, leadingOf } from '@agent-service/sdk/memory-index'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import { rankOf } from './rank.js'
import type { Playbook, ShortMemory, Statement, StoredMemory } from './records.js'

/** What a prompt needs of a short memory or of a pinned statement. */
export interface PromptLine extends Pick<ShortMemory, 'memory_id' | 'scope' | 'text' | 'pinned' | 'valid_to'> {
  /** How it fades; null: a statement, which does not. */
  readonly short: (Pick<ShortMemory, 'pinned' | 'lasting' | 'weight' | 'last_seen_at'> & { readonly rank: number }) | null
}

/** What a prompt needs of a playbook. */
export interface PromptPlaybook extends Pick<Playbook, 'memory_id' | 'title' | 'when_to_use' | 'pinned'> {
  readonly scope: MemoryScope
  /** Or made. */
  readonly used_at: string
}

/** What prompts need of the memories of a user, of any reader, in the order in which prompts have it. */
export interface PromptList {
  /** The time by which the lines are ordered. */
  readonly half_life_secs: number
  readonly lines: Leading<PromptLine>
  /** One of the lines that were left out never fades. */
  readonly omits_lasting: boolean
  readonly playbooks: Leading<PromptPlaybook>
}

/** The list of a user as it is stored with each change of their memories, so that a prompt reads one document and not all. */
export interface StoredPromptList {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  /** Of the memories that it was made of. */
  readonly revision: number
  readonly list: PromptList
}

export const promptListCollection = defineCollection<StoredPromptList>()({
  name: 'memory_pkm.prompt_lists',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** How many are kept in a list. */
export interface PromptListLimits {
  readonly maxLines: number
  readonly maxPlaybooks: number
}

/** A line of this length counts as one, a longer one as several. In characters. */
const lineLength = 280

/** What lists are made with. */
export interface PromptListOptions {
  readonly halfLifeSecs: number
  readonly limits: PromptListLimits
  /** What has ended by then is left out. */
  readonly now: number
}

/** A few times what a prompt has: other agents and spaces have their share, and some do not fit. */
export const promptListsFor = (
  settings: Pick<MemorySettings, 'pkm_short_memory_half_life_secs' | 'pkm_short_memory_top_n'>,
): Omit<PromptListOptions, 'now'> => ({
  halfLifeSecs: settings.pkm_short_memory_half_life_secs,
  limits: { maxLines: Math.min(400, Math.max(40, 2 * settings.pkm_short_memory_top_n)), maxPlaybooks: 60 },
})

/** The list of these memories. */
export function promptListOf(memories: Iterable<StoredMemory>, options: PromptListOptions): PromptList {
  const { maxLines, maxPlaybooks } = options.limits
  const playbooks: PromptPlaybook[] = []
  const omitted = { lasting: false }
  const lines = leadingOf(linesOf(memories, playbooks, options), lineOptions(maxLines, omitted))
  return {
    ...{ half_life_secs: options.halfLifeSecs, lines: withoutEnd(lines, endLine), omits_lasting: omitted.lasting },
    playbooks: withoutEnd(leadingOf(playbooks, playbookOptions(maxPlaybooks)), endPlaybook),
  }
}

const endLine = { text: '' }
const endPlaybook = { title: '', when_to_use: '' }

/** The place where it ends without its words: they may be forgotten, and the place stays. */
const withoutEnd = <Item>({ items, until }: Leading<Item>, empty: Partial<Item>): Leading<Item> => ({
  items,
  until: until && { ...until, ...empty },
})

/** The list after a change, if it follows from the one before; else undefined. */
export function changedPromptList(
  before: PromptList,
  puts: ReadonlyMap<string, StoredMemory>,
  options: PromptListOptions,
): PromptList | undefined {
  if (before.half_life_secs !== options.halfLifeSecs) return undefined
  const { maxLines, maxPlaybooks } = options.limits
  const put: PromptPlaybook[] = []
  const isGone = ({ memory_id: id }: { readonly memory_id: string }): boolean => puts.has(id)
  const omitted = { lasting: before.omits_lasting }
  const added = [...linesOf(puts.values(), put, options)]
  const lines = changedLeading(before.lines, { isGone, put: added }, lineOptions(maxLines, omitted))
  const playbooks = changedLeading(before.playbooks, { isGone, put }, playbookOptions(maxPlaybooks))
  if (!lines || !playbooks) return undefined
  return {
    ...{ half_life_secs: before.half_life_secs, lines: withoutEnd(lines, endLine), omits_lasting: omitted.lasting },
    playbooks: withoutEnd(playbooks, endPlaybook),
  }
}

/** The lines that memories have; playbooks are put aside. */
function* linesOf(
  memories: Iterable<StoredMemory>,
  playbooks: PromptPlaybook[],
  { halfLifeSecs, now }: PromptListOptions,
): Generator<PromptLine> {
  for (const memory of memories) {
    if (memory.forgotten || memory.type === 'page') continue
    if (memory.type === 'playbook') playbooks.push(promptPlaybook(memory))
    else if (memory.type === 'short' || memory.pinned)
      if (memory.valid_to === null || now < Date.parse(memory.valid_to)) yield promptLine(memory, halfLifeSecs)
  }
}

function promptLine(memory: ShortMemory | Statement, halfLifeSecs: number): PromptLine {
  const { memory_id, scope, text, pinned, valid_to } = memory
  const line = { memory_id, scope, text, pinned, valid_to }
  if (memory.type === 'statement') return { ...line, short: null }
  const { lasting, weight, last_seen_at } = memory
  return { ...line, short: { pinned, lasting, weight, last_seen_at, rank: rankOf(memory, halfLifeSecs) } }
}

const promptPlaybook = ({ memory_id, scope, title, when_to_use, pinned, last_used_at, created_at }: Playbook): PromptPlaybook => ({
  ...{ memory_id, scope, title, when_to_use, pinned, used_at: last_used_at ?? created_at },
})

const byId = (one: { readonly memory_id: string }, other: { readonly memory_id: string }): number =>
  one.memory_id === other.memory_id ? 0 : one.memory_id < other.memory_id ? -1 : 1

/** Pinned short memories, pinned statements, then the others; each kind the best first. */
const groupOf = ({ pinned, short }: PromptLine): number => (short === null ? 1 : pinned ? 0 : 2)

const lineOptions = (max: number, omitted: { lasting: boolean }): LeadingOptions<PromptLine> => ({
  compare: (one, other) => groupOf(one) - groupOf(other) || (other.short?.rank ?? 0) - (one.short?.rank ?? 0) || byId(one, other),
  weigh: ({ text }) => Math.max(1, text.length / lineLength),
  max,
  onOmitted({ short }) {
    if (short?.lasting === true) omitted.lasting = true
  },
})

/** Pinned ones, then those used last. */
const playbookOptions = (max: number): LeadingOptions<PromptPlaybook> => ({
  compare: (one, other) =>
    Number(other.pinned) - Number(one.pinned) || (one.used_at === other.used_at ? byId(one, other) : one.used_at < other.used_at ? 1 : -1),
  weigh: () => 1,
  max,
})
