import type { AgentRunHook, MaskedTexts } from '../../contracts/agent-run-hook/run-hook.js'

/** Makes the hook under test. */
export type CreateHook = () => AgentRunHook | Promise<AgentRunHook>

/** Texts for the hook, as one result and as pieces of progress. */
export interface MaskExample {
  /** Part of the test's title. */
  readonly title: string
  /** The tool's output. */
  readonly texts: readonly string[]
  /** Texts that no masked text may contain. */
  readonly hidden: readonly string[]
  /**
   * `in texts`: the hook knows what it hides by what stands around it in `texts`, such as the name before a
   * password, or hides more than `hidden` says. Default: it hides each of `hidden` wherever it stands.
   */
  readonly where?: 'in texts'
  /** Whose texts they are, and of which tool. Default: the suite's user, agent, chat, run and tool. */
  readonly place?: Partial<Pick<MaskedTexts, 'userId' | 'agentId' | 'chatId' | 'runId' | 'tool'>>
  /** Texts that must remain in some text. Default: none. */
  readonly kept?: readonly string[]
}
