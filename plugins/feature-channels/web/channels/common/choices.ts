import type { Access, Connection } from './channel-api.js'

/** What a person decides about a connection, beside what the channel needs. */
export interface Choices {
  /** Null: their first agent. */
  readonly agent_id: string | null
  readonly access: Access
  readonly mention_required: boolean
  readonly answer_bots: boolean
  /** What the agent may use for anyone but the owner, and in every group. */
  readonly guest_tools: readonly string[]
}

/** What the service takes where nothing is said. */
export const defaultChoices: Choices = { agent_id: null, access: 'pairing', mention_required: true, answer_bots: false, guest_tools: [] }

export const choicesOf = ({ agent_id, access, mention_required, answer_bots, guest_tools }: Connection): Choices => ({
  ...{ agent_id, access, mention_required, answer_bots, guest_tools },
})

/** As the API has them. */
export const bodyOf = ({ guest_tools: names, ...choices }: Choices, isShared: boolean) => ({
  ...choices,
  guest_tools: names.map((name) => name.trim()).filter((name) => name !== ''),
  // A shared connection cannot decide for the accounts of the people there.
  ...(isShared && { agent_id: null, access: 'pairing' as const, guest_tools: [] }),
})
