import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { ShortMemory } from '../store/records.js'

/** The settings by which short memories fade. */
export type DecaySettings = Pick<MemorySettings, 'pkm_short_memory_half_life_secs' | 'pkm_short_memory_demote_threshold'>

/** What the score of a short memory depends on. */
export type Fading = Pick<ShortMemory, 'pinned' | 'lasting' | 'weight' | 'last_seen_at'>

/** How much each further mention adds to the weight of a memory; the most is 1. */
export const mentionWeight = 0.1

/** From 0 to 1: `weight · 2^(−(now − last_seen_at) / half life)`; 1 of a pinned one. */
export function scoreOf({ pinned, weight, last_seen_at: lastSeenAt }: Fading, now: number, settings: DecaySettings): number {
  if (pinned) return 1
  const age = Math.max(0, now - Date.parse(lastSeenAt)) / 1_000
  return weight * 2 ** (-age / settings.pkm_short_memory_half_life_secs)
}

/** Whether it is faded so far that prompts leave it out. */
export const isFaded = (memory: Fading, now: number, settings: DecaySettings): boolean =>
  !memory.lasting && scoreOf(memory, now, settings) < settings.pkm_short_memory_demote_threshold

/** When its score falls below the threshold; null: never. */
export function fadesAt({ pinned, lasting, weight, last_seen_at: lastSeenAt }: Fading, settings: DecaySettings): string | null {
  const threshold = settings.pkm_short_memory_demote_threshold
  if (pinned || lasting || threshold <= 0) return null
  if (weight <= 0) return lastSeenAt
  const seconds = settings.pkm_short_memory_half_life_secs * Math.log2(weight / threshold)
  return new Date(Math.min(lastTime, Date.parse(lastSeenAt) + Math.max(0, seconds) * 1_000)).toISOString()
}

/** The last time that RFC 3339 can write. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')
