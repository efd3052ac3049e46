import { type JsonObject, namedObject, type Static, Type } from '@agent-service/sdk'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'

const stateSchema = Type.Union([Type.Literal('open'), Type.Literal('done'), Type.Literal('skipped')])
const stepsSchema = Type.Record(Type.String(), stateSchema, {
  description: 'By step: the id of the panel that is the step, and `registration`, which is the console’s own.',
  examples: [{ registration: 'done', 'set-up-models': 'open' }],
})
const connection = Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
  description: 'The handle of the connection that was chosen last, for the steps after it.',
})

/** How far an installation is set up. */
export const progressSchema = namedObject('SetUpProgress', { steps: stepsSchema, connection })

/** What an administrator did. */
export const progressChangeSchema = namedObject('ChangeSetUpProgress', {
  steps: Type.Optional(stepsSchema),
  connection: Type.Optional(connection),
})

/** See {@link progressSchema}. */
export type SetUpProgress = Static<typeof progressSchema>
export type SetUpChange = Static<typeof progressChangeSchema>
type StoredProgress = SetUpProgress & { readonly id: string }

/** The names of steps before plugins could add them. */
const formerNames: Readonly<Record<string, string>> = {
  memory: 'set-up-memory',
  provider: 'set-up-provider',
  models: 'set-up-models',
  agent: 'set-up-agent',
  registration: 'registration',
}

/** One document for the installation. What was noted of a step stays while its plugin is away. */
export const progressCollection = defineCollection<StoredProgress>()({
  name: 'console.set_up',
  version: 2,
  indexes: {},
  migrations: [
    {
      to: 2,
      description: 'The states of steps are by the panels that add them.',
      migrate({ id, connection, ...states }): JsonObject {
        const known = Object.entries(states).filter(([name]) => Object.hasOwn(formerNames, name))
        const steps = Object.fromEntries(known.map(([name, state]) => [formerNames[name] ?? name, state]))
        return { ...(id !== undefined && { id }), connection: connection ?? null, steps }
      },
    },
  ],
})

const id = 'set-up'
const initial: SetUpProgress = { steps: {}, connection: null }

/** What was noted, of all steps that there have ever been. */
export async function readProgress(database: Database): Promise<SetUpProgress> {
  const stored = await database.collection(progressCollection).get(id)
  return stored ? withoutId(stored) : initial
}

/** Changes the given members and steps; the others stay. Returns the progress before and after. */
export const changeProgress = (
  database: Database,
  { steps, ...change }: SetUpChange,
): Promise<{ readonly before: SetUpProgress; readonly after: SetUpProgress }> =>
  database.transaction(async (transaction) => {
    const stored = await transaction.get(progressCollection, id)
    const before = stored ? withoutId(stored) : initial
    const after = { ...before, ...change, steps: { ...before.steps, ...steps } }
    transaction.put(progressCollection, { id, ...after })
    return { before, after }
  })

const withoutId = ({ id: _, ...progress }: StoredProgress): SetUpProgress => progress
