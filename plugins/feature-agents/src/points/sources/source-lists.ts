import type { Disposer, Logger } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { type ToolSource, type ToolSourceChange, type ToolSourceOwner, toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { callContribution } from '../call-contribution.js'
import { foreignTool } from './foreign-tool.js'
import { createChangeWatch } from './watch-changes.js'

/** The tools of one source for one agent. */
export interface SourceList {
  /** By the name that models see, in the order of the source. */
  readonly tools: ReadonlyMap<string, Tool>
  /** The tools that were left out, and why. */
  readonly omitted: readonly { readonly name: string; readonly reason: string }[]
}

/** The lists of tool sources, as they were last read. */
export interface SourceLists {
  /**
   * Reads the list again unless it is fresh; concurrent calls share one read. Never rejects: after
   * a failure the known list stays.
   */
  refresh(sourceId: string, owner: ToolSourceOwner): Promise<void>
  known(sourceId: string, agentId: string): SourceList | undefined
  close(): Promise<void>
}

interface Entry {
  readonly owner: ToolSourceOwner
  list: SourceList | undefined
  /** The source of the list: one that was removed and added again is another. */
  source: ToolSource | undefined
  /** The list as text, so that unchanged tools stay the same objects. */
  text: string
  /** Milliseconds of the monotonic clock until which it is fresh. */
  freshUntil: number
  reading: Promise<void> | undefined
}

const listTimeoutMs = 10_000
const maxTools = 1_000
const freshMs = 30_000
/** A watched list is read again after this time too, since a notice may be lost. */
const watchedFreshMs = 300_000
/** After a failure the source is asked again soon, but not with every call. */
const failedFreshMs = 2_000
const maxEntries = 5_000

export function createSourceLists(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire' | 'onChange'>
  readonly clock: Clock
  readonly log: Logger
}): SourceLists {
  const { contributions, clock, log } = dependencies
  const entries = new Map<string, Entry>()
  const keyOf = (sourceId: string, agentId: string): string => `${sourceId} ${agentId}`

  const forget = (sourceId: string, { userId, agentId }: ToolSourceChange): void => {
    for (const [key, entry] of entries) {
      if (!key.startsWith(`${sourceId} `)) continue
      if ((userId ?? entry.owner.userId) === entry.owner.userId && (agentId ?? entry.owner.agentId) === entry.owner.agentId)
        entry.freshUntil = 0
    }
  }
  const watch = createChangeWatch({ contributions, clock, log, onChange: forget })
  // The tools of a removed or replaced source would call an object that no longer exists.
  const stopListening: Disposer = contributions.onChange(toolSources, () => {
    const there = new Set(contributions.list(toolSources).map(({ value }) => value))
    for (const [key, { source }] of entries) if (source && !there.has(source)) entries.delete(key)
  })

  const read = async (sourceId: string, entry: Entry): Promise<void> => {
    const begun = clock.monotonic()
    // A change during the read makes it read again.
    entry.freshUntil = begun + (watch.isWatched(sourceId) ? watchedFreshMs : freshMs)
    try {
      const question = { point: toolSources, key: sourceId, timeoutMs: listTimeoutMs }
      const { owner } = entry
      const asked = await callContribution(contributions, question, async (source, signal) => {
        const given = (await source.tools({ ...owner }, { signal })).slice(0, maxTools)
        const text = JSON.stringify(given)
        if (text !== entry.text || source !== entry.source)
          return { text, source, list: listOf(given.map((tool) => foreignToolNamed(source, owner, tool))) }
        return undefined
      })
      // The source is not available at present; it is asked as soon as it is.
      if (!asked) entry.freshUntil = 0
      if (!asked?.answer) return
      entry.text = asked.answer.text
      entry.source = asked.answer.source
      entry.list = asked.answer.list
      if (asked.answer.list.omitted.length > 0)
        log.warn('Tools of a source are left out.', {
          source: sourceId,
          agent_id: owner.agentId,
          left_out: asked.answer.list.omitted.slice(0, 20),
        })
    } catch (error) {
      entry.freshUntil = clock.monotonic() + failedFreshMs
      log.warn('A tool source could not return its list; the known list stays.', {
        source: sourceId,
        agent_id: entry.owner.agentId,
        error,
      })
    }
  }

  return {
    async refresh(sourceId, owner) {
      const key = keyOf(sourceId, owner.agentId)
      const entry = entries.get(key) ?? { owner, list: undefined, source: undefined, text: '', freshUntil: 0, reading: undefined }
      // The entry used last is at the end.
      entries.delete(key)
      entries.set(key, entry)
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
      watch.follow(sourceId)
      if (entry.reading === undefined && clock.monotonic() >= entry.freshUntil) {
        entry.reading = read(sourceId, entry).finally(() => {
          entry.reading = undefined
        })
      }
      await entry.reading
    },
    known: (sourceId, agentId) => entries.get(keyOf(sourceId, agentId))?.list,
    async close() {
      await stopListening()
      watch.close()
    },
  }
}

type Listed = { readonly name: string } & ReturnType<typeof foreignTool>

const foreignToolNamed = (...given: Parameters<typeof foreignTool>): Listed => ({ name: String(given[2]?.name), ...foreignTool(...given) })

/** Of two tools with the same name, the first stays. */
function listOf(listed: readonly Listed[]): SourceList {
  const tools = new Map<string, Tool>()
  const omitted: { name: string; reason: string }[] = []
  for (const one of listed) {
    if ('reason' in one) omitted.push({ name: one.name.slice(0, 256), reason: one.reason })
    else if (tools.has(one.tool.name)) omitted.push({ name: one.name, reason: `another tool has the name “${one.tool.name}”` })
    else tools.set(one.tool.name, one.tool)
  }
  return { tools: new Map([...tools].sort(([one], [other]) => (one < other ? -1 : 1))), omitted }
}
