import type { Inference } from '@agent-service/sdk/services/inference'

/** The size of a model's window and the part that is reserved for the answer, in tokens. */
export interface ContextWindow {
  readonly window: number
  readonly reserve: number
}

/** How a model's window is divided, in tokens. */
export interface ContextBudget {
  /** For the system message and the tools' schemas. */
  readonly fixed: number
  /** The most that the history may take of the prompt. */
  readonly history: number
  /** Above this size, a prompt's older messages are summarised first. */
  readonly compactAbove: number
}

/** Used if neither the configuration nor the catalogue states one. */
const unknownWindow = 128_000

/**
 * The window of a group, or of `primary` if no group has that name. The agent's own limits do not
 * change it.
 */
export function contextWindow(inference: Pick<Inference, 'groups' | 'limits'>, modelGroup: string): ContextWindow {
  const groups = inference.groups()
  const group = groups.find(({ name }) => name === modelGroup) ?? groups.find(({ name }) => name === 'primary')
  const window = group?.context_window ?? unknownWindow
  return { window, reserve: Math.min(group?.max_tokens ?? inference.limits.default_max_tokens, Math.floor(window / 2)) }
}

/**
 * A prompt above this share of the window without the answer's reserve is compacted. The share is
 * fixed and independent of `inference.compaction_trigger_pct`.
 */
export const compactionThreshold = ({ window, reserve }: ContextWindow): number => (4 * (window - reserve)) / 5

/**
 * Divides the window: first the answer's share, then the system message and the tools, then the
 * history.
 */
export function contextBudget(place: ContextWindow, fixed: number, historyTruncationPct: number): ContextBudget {
  return {
    fixed,
    history: Math.max(0, Math.floor(((place.window - place.reserve - fixed) * historyTruncationPct) / 100)),
    compactAbove: compactionThreshold(place),
  }
}

/**
 * The most that the tool results of one turn may take, in tokens: half of the window without the
 * answer's reserve.
 */
export function resultRoom(inference: Pick<Inference, 'groups' | 'limits'>, modelGroup: string): number {
  const { window, reserve } = contextWindow(inference, modelGroup)
  return Math.floor((window - reserve) / 2)
}
