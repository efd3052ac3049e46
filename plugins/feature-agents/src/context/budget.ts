import type { Inference } from '@agent-service/sdk/services/inference'

/** How large a model's window is and what of it is kept for the answer, in tokens. */
export interface ContextWindow {
  readonly window: number
  readonly reserve: number
}

/** What of a model's window may be used for what, in tokens. */
export interface ContextBudget {
  /** Taken by the system message and the tools' schemas. */
  readonly fixed: number
  /** What the history may take in the prompt. */
  readonly history: number
  /** A prompt of more than this has its older messages summarised first. */
  readonly compactAbove: number
}

/** Where neither the configuration nor the catalogue knows better. */
const unknownWindow = 128_000

/** The window of a group, or of `primary` where there is none of that name. The agent's own limits do not change it. */
export function contextWindow(inference: Pick<Inference, 'groups' | 'limits'>, modelGroup: string): ContextWindow {
  const groups = inference.groups()
  const group = groups.find(({ name }) => name === modelGroup) ?? groups.find(({ name }) => name === 'primary')
  const window = group?.context_window ?? unknownWindow
  return { window, reserve: Math.min(group?.max_tokens ?? inference.limits.default_max_tokens, Math.floor(window / 2)) }
}

/** A prompt beyond this share of what the answer leaves of the window is compacted: fixed, whatever `inference.compaction_trigger_pct` says. */
export const compactionThreshold = ({ window, reserve }: ContextWindow): number => (4 * (window - reserve)) / 5

/** The arithmetic of the context: the answer's share first, then the system message and the tools, then the history. */
export function contextBudget(place: ContextWindow, fixed: number, historyTruncationPct: number): ContextBudget {
  return {
    fixed,
    history: Math.max(0, Math.floor(((place.window - place.reserve - fixed) * historyTruncationPct) / 100)),
    compactAbove: compactionThreshold(place),
  }
}

/** What the results of one turn of calls may take, in tokens: half of what the answer leaves of the window. */
export function resultRoom(inference: Pick<Inference, 'groups' | 'limits'>, modelGroup: string): number {
  const { window, reserve } = contextWindow(inference, modelGroup)
  return Math.floor((window - reserve) / 2)
}
