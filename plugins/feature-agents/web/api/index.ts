import { createApi, createEvents, createQueries, type QueryKey, type EventOf as SomeEventOf } from '@agent-service/sdk/web'
import type { components, paths } from './schema.js'

/** The client, with the types of the paths that this folder uses. */
export const api = createApi<paths>()

/** The schemas of the OpenAPI document by name: `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** The events that this folder uses. */
type ServiceEvent = components['schemas']['Event']

/** The name of such an event. */
export type EventName = ServiceEvent['event']

/** The event of a name. */
export type EventOf<Name extends EventName> = SomeEventOf<ServiceEvent, Name>

/** Calls a function for each event of a name, and returns the undo. */
export const onEvent = createEvents<ServiceEvent>()

/** What a run changes of the start page: its chat runs or rests, and may wait for the person. */
const ofRun: readonly QueryKey[] = [['chats', 'recent'], ['approvals']]

const isUnderWay = ({ state }: Schemas['ChatImportProgress']): boolean => state === 'waiting' || state === 'running'

/** What this folder reads. Lists that take their items from events are read again only where an event does not carry them. */
export const { createQuery, createPagedQuery, sharedQuery, invalidate } = createQueries<ServiceEvent>({
  'agent.deleted': () => [['agents']],
  'chat.created': () => [['chats', 'recent']],
  'chat.updated': () => [['chats', 'recent']],
  'chat.deleted': () => [['chats', 'recent'], ['approvals'], ['deleted_chats']],
  'chat_import.updated': ({ data }) => (isUnderWay(data.import) ? [] : [['chats'], ['import']]),
  'run.started': () => ofRun,
  'run.waiting': () => ofRun,
  'run.completed': () => ofRun,
  'run.failed': () => ofRun,
  'run.cancelled': () => ofRun,
  'space.updated': () => [['spaces']],
  'space.deleted': () => [['spaces']],
})
