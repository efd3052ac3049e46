import type { Logger } from '@agent-service/sdk'
import type { ModelMessage, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { Agent } from '../store/agents/agent.js'
import { readSharedSections, type SharedSection } from './shared-sections.js'

/** One shared section as an agent has it. */
export interface AgentSection {
  readonly name: string
  /** `left_out`: the agent has null for it. */
  readonly source: 'shared' | 'agent' | 'left_out'
  /** The text in effect; empty if it is left out. */
  readonly text: string
}

/** The system messages of agents. */
export interface Prompts {
  /** The shared sections in order. The files are read once, and again only after a failure. */
  sections(): Promise<readonly SharedSection[]>
  /** The shared sections, replaced by the agent's own texts if it has them. */
  sectionsOf(agent: Pick<Agent, 'prompts'>): Promise<readonly AgentSection[]>
  /**
   * The system message: first the part that all agents share, then this agent's, then the texts of
   * `extra`, each a part of its own, so that vendors can cache the prefix. It contains no clock and
   * nothing else that changes from call to call. Empty texts are left out.
   */
  system(agent: Pick<Agent, 'name' | 'instructions' | 'prompts'>, extra?: readonly string[]): Promise<SystemMessage>
}

export type SystemMessage = Extract<ModelMessage, { readonly role: 'system' }>

export function createPrompts(dependencies: { readonly resources: Resources; readonly log: Logger }): Prompts {
  const { resources, log } = dependencies
  let reading: Promise<readonly SharedSection[]> | undefined

  const sections = (): Promise<readonly SharedSection[]> => {
    reading ??= readSharedSections(resources, log).catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }

  const sectionsOf: Prompts['sectionsOf'] = async ({ prompts }) =>
    (await sections()).map(({ name, text }): AgentSection => {
      const own = Object.hasOwn(prompts, name) ? prompts[name] : undefined
      if (own === undefined) return { name, source: 'shared', text }
      return own === null ? { name, source: 'left_out', text: '' } : { name, source: 'agent', text: own.trim() }
    })

  return {
    sections,
    sectionsOf,
    async system(agent, extra = []) {
      const shared = (await sectionsOf(agent)).map(({ text }) => text)
      const constant = [...shared, `Your name is ${agent.name}.`, agent.instructions.trim()].filter((text) => text !== '').join('\n\n')
      const texts = [constant, ...extra.map((text) => text.trim()).filter((text) => text !== '')]
      return { role: 'system', content: texts.map((text): TextPart => ({ type: 'text', text })) }
    },
  }
}
