import { namedObject, type Static, Type } from '@agent-service/sdk'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'

/** The steps after the first account, in their order. */
export const setUpSteps = ['memory', 'provider', 'models', 'agent', 'registration'] as const

const stateSchema = Type.Union([Type.Literal('open'), Type.Literal('done'), Type.Literal('skipped')])
const stepSchemas = { memory: stateSchema, provider: stateSchema, models: stateSchema, agent: stateSchema, registration: stateSchema }
const connection = Type.String({ maxLength: 200 })

/** How far an installation is set up. */
export const progressSchema = namedObject('SetUpProgress', {
  ...stepSchemas,
  connection: Type.Union([connection, Type.Null()], { description: 'The handle of the connection that the step `provider` made.' }),
})

/** What an administrator did. */
export const progressChangeSchema = namedObject('ChangeSetUpProgress', {
  memory: Type.Optional(stateSchema),
  provider: Type.Optional(stateSchema),
  models: Type.Optional(stateSchema),
  agent: Type.Optional(stateSchema),
  registration: Type.Optional(stateSchema),
  connection: Type.Optional(Type.Union([connection, Type.Null()])),
})

/** See {@link progressSchema}. */
export type SetUpProgress = Static<typeof progressSchema>
type StoredProgress = SetUpProgress & { readonly id: string }

/** One document for the installation. */
export const progressCollection = defineCollection<StoredProgress>()({ name: 'console.set_up', version: 1, indexes: {} })

const id = 'set-up'
const initial: SetUpProgress = { memory: 'open', provider: 'open', models: 'open', agent: 'open', registration: 'open', connection: null }

/** The progress; all steps are open at first. */
export async function readProgress(database: Database): Promise<SetUpProgress> {
  const stored = await database.collection(progressCollection).get(id)
  return stored ? withoutId(stored) : initial
}

/** Changes the given members; the others stay. Returns the progress before and after. */
export const changeProgress = (
  database: Database,
  change: Partial<SetUpProgress>,
): Promise<{ readonly before: SetUpProgress; readonly after: SetUpProgress }> =>
  database.transaction(async (transaction) => {
    const stored = await transaction.get(progressCollection, id)
    const before = stored ? withoutId(stored) : initial
    const after = { ...before, ...change }
    transaction.put(progressCollection, { id, ...after })
    return { before, after }
  })

/** Steps that came later than the document are open. */
const withoutId = ({ id: _, ...progress }: StoredProgress): SetUpProgress => ({ ...initial, ...progress })
