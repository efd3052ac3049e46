import type { ProviderFailure } from '../contracts/provider-adapter/index.js'
import type { ToolScope } from '../contracts/tool/index.js'
import type { JsonValue } from '../core/json.js'

/** The status of a run. `waiting`: for a person. The last three never change. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Tokens of a run, over all its model calls. */
export interface RunUsage {
  /** Cached ones included. */
  readonly input_tokens: number
  /** Read from the vendor's cache. */
  readonly cached_input_tokens: number
  /** Reasoning included. */
  readonly output_tokens: number
  /** Spent on reasoning. */
  readonly reasoning_tokens: number
}

/** The purpose of a run, by which the feature that started it recognises it in events. */
export interface RunReport {
  /**
   * A kind of thing of the feature, as a rule with its plugin's id: `feature-tasks.task`. 1 to 100
   * characters.
   */
  readonly kind: string
  /** Which one. 1 to 200 characters. */
  readonly id: string
}

/** Something that an agent asks a person about. */
export interface RunQuestion {
  /** The call that waits; see `Runs.answer`. */
  readonly callId: string
  /** Whether a call may run, or something that only the person knows. */
  readonly kind: 'approval' | 'question'
  /** What the person reads: of an approval, the whole call. */
  readonly text: string
  /** What they can choose from; empty: anything. */
  readonly options: readonly string[]
  /**
   * What an approval can allow from now on, the narrowest first. Empty: only this one call. Keys
   * begin with `call:` for this very call and with `of:` for kinds that the tool names; `every`
   * stands for every call of a tool that names none.
   */
  readonly scopes: readonly ToolScope[]
  /** RFC 3339, in UTC: without an answer by then the call is not made. */
  readonly expiresAt: string
}

/** Why a run failed. */
export interface RunFailure {
  /** Stable. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
  /** The kind of failure of its model call, if one failed: it says whether a repeat may succeed. */
  readonly providerFailure?: ProviderFailure
  /** When the vendor permits another call, in seconds after the failure, if it says so. */
  readonly retryAfterSeconds?: number
}

/** A run: one response of an agent. */
export interface Run {
  /** Never changes. */
  readonly id: string
  /** The chat that it answers in. */
  readonly chatId: string
  /** The agent that answers. */
  readonly agentId: string
  /** Its status. */
  readonly status: RunStatus
  /** What its model calls go through. */
  readonly modelGroup: string
  /** Why it failed. */
  readonly failure: RunFailure | null
  /** So far. */
  readonly usage: RunUsage
  /** Model calls that were completed. */
  readonly turns: number
  /** What it waits for; empty unless it is `waiting`. */
  readonly questions: readonly RunQuestion[]
  /** The value of a final answer that fits `result`; null: there is none (yet). */
  readonly result: { readonly value: JsonValue } | null
  /** See `StartRunRequest.parent`. `depth`: the number of runs above it, from 1. */
  readonly parent: { readonly runId: string; readonly callId: string | null; readonly depth: number } | null
  /** See `StartRunRequest.reportsTo`. */
  readonly reportsTo: RunReport | null
  /** RFC 3339, in UTC. */
  readonly createdAt: string
  /** Null: not yet. */
  readonly startedAt: string | null
  /** Null: not yet. */
  readonly finishedAt: string | null
}
