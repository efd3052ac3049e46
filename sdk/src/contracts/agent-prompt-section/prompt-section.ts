import type { Contribution } from '../../core/contribution-point.js'

/**
 * How often a section's text changes, which determines its position. `static`: the same for every
 * call of a chat until its owner's data changes. It comes after the agent's instructions, in the
 * part of the request that vendors cache. `dynamic`: may differ from call to call. It comes after
 * everything else, including the conversation, so that the prefix stays cached.
 */
export type PromptSectionKind = 'static' | 'dynamic'

/** The agent of a section. */
export interface PromptSectionAgent {
  /** Its id. */
  readonly id: string
  /** Its handle: `assistant`. */
  readonly handle: string
  /** Its name for people. */
  readonly name: string
  /** The names of its skills; `*` stands for all. */
  readonly skills: readonly string[]
  /** Whether it may use what is remembered beyond a chat. */
  readonly memory: { readonly enabled: boolean }
}

/** The model call of a section. Plain data. */
export interface PromptSectionContext {
  /** The user whose agent it is. A section never reveals data that this user may not see. */
  readonly userId: string
  /** The agent that calls its model. */
  readonly agent: PromptSectionAgent
  /** The chat that the run answers in. */
  readonly chatId: string
  /** The space that the chat belongs to. */
  readonly spaceId: string | null
  /** The run. A static section ignores it. */
  readonly runId: string
  /** The person's time zone, an IANA name. */
  readonly timezone: string
  /**
   * The tokens that the section has for this call: at most its own
   * {@link AgentPromptSection.maxTokens}, fewer if the model's window is small.
   */
  readonly maxTokens: number
}

/** A part of the system prompt of every model call of an agent. */
export interface AgentPromptSection extends Contribution {
  /** The generation of this contract that the section is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9-]{0,63}$`. Unique in a deployment. */
  readonly id: string
  /** For people: “Space”. One line. */
  readonly title: string
  /**
   * Its order among the sections of its kind, lower first; 0 to 10,000. The service's own are at
   * 100 to 199.
   */
  readonly order: number
  /**
   * `skills`: only for agents that have at least one skill; for others it costs nothing. Default:
   * for every agent.
   */
  readonly when?: 'skills'
  /** How often the text changes. */
  readonly kind: PromptSectionKind
  /**
   * The most tokens that it takes, estimated; 1 to 100,000. What exceeds them is cut, with a mark.
   */
  readonly maxTokens: number
  /**
   * Where all sections together are too much for a model's window, those with a lower priority
   * shrink first: they are called again with fewer tokens, and left out if too few remain. 0 to
   * 100. Default 50.
   */
  readonly priority?: number
  /**
   * The longest that {@link AgentPromptSection.text} may take, in milliseconds; 1 to 10,000.
   * Default 2,000.
   */
  readonly timeoutMs?: number
  /**
   * The text for one call, undefined or empty for none. May be asked more than once for a call,
   * each time with fewer tokens, and by several runs at once. The model reads it as instructions of
   * the service, so external content must be marked as such.
   * @throws anything: the section is left out of this call with a warning in the log, and the run
   * goes on. The same holds for one that is too slow.
   */
  text(context: PromptSectionContext, options: { readonly signal: AbortSignal }): Promise<string | undefined>
}
