import { Type } from '@agent-service/sdk'
import type { Configuration } from '../config/index.js'
import type { StateDocuments } from '../state-documents/state-documents.js'
import { setUpNotWrittenError } from './errors.js'
import type { SetUp } from './set-up.js'

const schema = Type.Object({
  installation: Type.Union([Type.Literal('undecided'), Type.Literal('fresh'), Type.Literal('existing')]),
  chosen: Type.Array(Type.String(), { uniqueItems: true }),
})

interface SetUpDocument {
  readonly [member: string]: 'undecided' | 'fresh' | 'existing' | readonly string[]
  readonly installation: 'undecided' | 'fresh' | 'existing'
  readonly chosen: readonly string[]
}

/**
 * Opens the state document `set-up`. The first start writes down what it found, before it creates the database folder that would make the next
 * one look like an existing installation. @throws `set_up_not_written` when it cannot.
 */
export async function openSetUp(dependencies: {
  readonly stateDocuments: StateDocuments
  readonly configuration: Pick<Configuration, 'installation' | 'openChoices'>
}): Promise<SetUp> {
  const { stateDocuments, configuration } = dependencies
  const document = await stateDocuments.open<SetUpDocument>({
    name: 'set-up',
    schema,
    initial: { installation: 'undecided', chosen: [] },
  })
  if (document.read().installation === 'undecided') {
    try {
      await document.update((value) => ({ ...value, installation: configuration.installation }))
    } catch (error) {
      throw setUpNotWrittenError.create({ reason: error instanceof Error ? error.message : String(error) }, { cause: error })
    }
  }
  const installation = document.read().installation === 'fresh' ? 'fresh' : 'existing'

  const open = (): readonly string[] =>
    installation === 'fresh' ? configuration.openChoices.filter((path) => !document.read().chosen.includes(path)) : []
  return {
    installation,
    open,
    async choose(paths) {
      const added = open().filter((path) => paths.includes(path))
      if (added.length > 0) await document.update((value) => ({ ...value, chosen: [...new Set([...value.chosen, ...added])] }))
    },
  }
}
