import { createSignal } from 'solid-js'
import { api } from '../../../api/client.js'
import { onEvent } from '../../../api/events.js'
import type { Schemas } from '../../../api/types.js'

type Agent = Schemas['Agent']
type ModelGroup = Schemas['ModelGroup']

const [agents, setAgents] = createSignal<readonly Agent[]>([])
const [models, setModels] = createSignal<readonly ModelGroup[]>([])
let reading: Promise<void> | undefined
let following = false

/** The person's agents, disabled ones too: old answers are theirs. */
export const knownAgents = agents
/** The model groups that answer. */
export const knownModels = models

export const agentOf = (id: string | undefined): Agent | undefined => agents().find((agent) => agent.id === id)

/** Reads agents and models, once at a time. What was read before stays when it fails. */
export function readChoices(): Promise<void> {
  if (!following) {
    following = true
    onEvent('agent.deleted', ({ data }) => void setAgents((all) => all.filter(({ id }) => id !== data.agent_id)))
  }
  reading ??= Promise.all([
    api.get('/api/agents', { query: { limit: 200 } }).then(({ items }) => void setAgents(items)),
    api.get('/api/models', { query: { limit: 200 } }).then(({ items }) => void setModels(items.filter(({ embeds }) => !embeds))),
  ])
    .then(() => undefined)
    .finally(() => {
      reading = undefined
    })
  return reading
}
