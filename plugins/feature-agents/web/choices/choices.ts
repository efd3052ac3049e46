import { readAll, recall, remember } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'
import { api, type Schemas, sharedQuery } from '../api/index.js'

type Agent = Schemas['Agent']
type ModelGroup = Schemas['ModelGroup']

const agents = sharedQuery<readonly Agent[]>({
  key: ['agents'],
  initial: [],
  read: async (signal) => (await api.get('/api/agents', { query: { limit: 200 }, signal })).items,
})
const models = sharedQuery<readonly ModelGroup[]>({
  key: ['models'],
  initial: [],
  read: async (signal) => {
    const found = await readAll((cursor) =>
      api.get('/api/models', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal }),
    )
    return found.filter(({ embeds }) => embeds !== true)
  },
})

/** The person's agents, disabled ones too: old answers are theirs. */
export const knownAgents = agents.value
/** The model groups that answer. */
export const knownModels = models.value
/** Whether the models have been read, so that none means that there are none. */
export const areModelsKnown = (): boolean => models.isRead()
/** Why agents or models could not be read. */
export const choicesError = (): unknown => agents.error() ?? models.error()

export const agentOf = (id: string | undefined): Agent | undefined => agents.value().find((agent) => agent.id === id)

/** Reads agents and models, once at a time. What was read before stays when it fails; {@link choicesError} says why. */
export async function readChoices(): Promise<void> {
  await Promise.all([agents.read(), models.read()])
}

const maxRecent = 3
const [recent, setRecent] = createSignal<readonly string[]>(recall('models')?.split('\n') ?? [])

/** The names of the models that were chosen last in this browser, the latest first. */
export const recentModels = recent

/** Remembers that a model was chosen. */
export function noteModel(name: string): void {
  setRecent((before) => [name, ...before.filter((each) => each !== name)].slice(0, maxRecent))
  remember('models', recent().join('\n'))
}
