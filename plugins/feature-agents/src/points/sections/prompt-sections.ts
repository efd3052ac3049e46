import type { Logger } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import { type AgentPromptSection, agentPromptSections, type PromptSectionContext } from '@agent-service/sdk/contracts/agent-prompt-section'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { wellFormed } from '../../common/well-formed.js'
import { bounded, callContribution } from '../call-contribution.js'
import { fitSections, maxTokensOf, type RenderedSection, renderSection, type SectionRenderer, statedTokens } from './fit-sections.js'

/** The texts of the sections for one call. */
export interface SectionTexts {
  /**
   * After the agent's instructions, in order. They stay the same in the next call unless their
   * subject has changed.
   */
  readonly constant: readonly string[]
  /** After the conversation, in order. */
  readonly changing: readonly string[]
}

/** The call for which sections are rendered. */
export type SectionContext = Omit<PromptSectionContext, 'maxTokens'>

export interface SectionOptions {
  readonly totalTokens: number
  /**
   * Others than the user read what the model says: sections have what is the user's, so there are none
   * but those about skills, which the run was allowed. Default false.
   */
  readonly forGuests?: boolean
  readonly signal?: AbortSignal | undefined
}

/** The parts of the system prompt that this plugin and others add. */
export interface PromptSections {
  /** Whether other plugins have sections for this agent, which take time to render. */
  hasForeign(agent: Pick<PromptSectionContext['agent'], 'skills'>): boolean
  /**
   * Rejects only with the signal's reason. A section that fails or is slow is left out with a
   * warning.
   */
  texts(place: SectionContext, options: SectionOptions): Promise<SectionTexts>
}

const defaultTimeoutMs = 2_000
const maxTimeoutMs = 10_000

export function createPromptSections(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly log: Logger
  /** The sections of this plugin about the chat's space: not rendered for a chat without one. */
  readonly ofSpaces: readonly AgentPromptSection[]
}): PromptSections {
  const { contributions, log, ofSpaces } = dependencies
  const foreign = ({ skills }: Pick<PromptSectionContext['agent'], 'skills'>) =>
    contributions.list(agentPromptSections).filter(({ value }) => value.when !== 'skills' || skills.length > 0)

  const askFor =
    (place: SectionContext, signal: AbortSignal | undefined): SectionRenderer =>
    async (section, maxTokens) => {
      const context = structuredClone({ ...place, maxTokens })
      try {
        const text: unknown = await askSection(dependencies, section, context, signal)
        if (text !== undefined && typeof text !== 'string')
          throw new TypeError(`Its text is ${typeof text}; expected a string or undefined.`)
        return text === undefined ? undefined : wellFormed(text)
      } catch (error) {
        signal?.throwIfAborted()
        log.warn('A prompt section is left out of this call.', { section: section.id, run_id: place.runId, error })
        return undefined
      }
    }

  return {
    hasForeign: (agent) => foreign(agent).length > 0,

    async texts(place, { totalTokens, forGuests = false, signal }) {
      const own = place.spaceId === null ? [] : ofSpaces
      const given = [...own, ...foreign(place.agent).map(({ value }) => value)]
      const all = inOrder(forGuests ? given.filter(({ when }) => when === 'skills') : given)
      if (all.length === 0) return { constant: [], changing: [] }
      const ask = askFor(place, signal)
      const [fixed, moving] = [all.filter(({ kind }) => kind !== 'dynamic'), all.filter(({ kind }) => kind === 'dynamic')]
      const say = async (sections: readonly AgentPromptSection[]): Promise<readonly RenderedSection[]> =>
        (await Promise.all(sections.map((section) => renderSection(section, maxTokensOf(section), ask)))).filter(
          (said) => said !== undefined,
        )
      // Constant sections must not depend on the texts of the changing ones, or they would change
      // too.
      const forMoving = Math.min(statedTokens(moving), Math.floor(totalTokens / 2))
      const constant = await fitSections(await say(fixed), totalTokens - forMoving, ask)
      const changing = await fitSections(await say(moving), forMoving, ask)
      return { constant: constant.map(({ text }) => text), changing: changing.map(({ text }) => text) }
    },
  }
}

const orderOf = ({ order }: AgentPromptSection): number => bounded(order, 1_000, 0, 10_000)

/** By order, then id. */
const inOrder = (sections: readonly AgentPromptSection[]): readonly AgentPromptSection[] =>
  [...sections].sort((one, other) => orderOf(one) - orderOf(other) || (one.id < other.id ? -1 : 1))

/** Renders a section of this plugin directly, and any other through the registry. */
async function askSection(
  { contributions, ofSpaces }: { readonly contributions: Pick<Contributions, 'acquire'>; readonly ofSpaces: readonly AgentPromptSection[] },
  section: AgentPromptSection,
  context: PromptSectionContext,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const timeoutMs = bounded(section.timeoutMs, defaultTimeoutMs, 1, maxTimeoutMs)
  if (ofSpaces.includes(section)) {
    const within = signalWithin(timeoutMs, signal)
    return abortable(() => section.text(context, { signal: within }), within)
  }
  const question = { point: agentPromptSections, key: section.id, timeoutMs, signal }
  return (await callContribution(contributions, question, (value, within) => value.text(context, { signal: within })))?.answer
}
