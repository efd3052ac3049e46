import type { Configuration } from '@agent-service/kernel-core/config'
import type { StateDocuments } from '@agent-service/kernel-core/state-documents'
import { defineError, Type } from '@agent-service/sdk'
import type { InjectionToken } from 'tsyringe'

/** The settings that a fresh installation still has to choose, kept across restarts. */
export interface SetUp {
  /**
   * Decided at the first start: `existing` if there was a database folder or a configuration file
   * with any key. Never changes afterwards.
   */
  readonly installation: 'fresh' | 'existing'
  /**
   * Dotted paths of the settings that are not chosen yet, neither in the file, nor in the
   * environment, nor by {@link choose}. Their defaults apply. Always empty on an existing
   * installation, where the defaults count as chosen.
   */
  open(): readonly string[]
  /**
   * Marks paths as chosen, since a chosen default is not written to the file. Called by set-up and
   * when settings are saved. Paths that are not {@link open} are ignored. Durable when the promise
   * resolves.
   */
  choose(paths: readonly string[]): Promise<void>
}

export const setUpToken: InjectionToken<SetUp> = Symbol('set-up')

/** The data folder cannot be written to at the first start. */
export const setUpNotWrittenError = defineError<{ readonly reason: string }>({
  code: 'set_up_not_written',
  status: 500,
  title: 'Data folder not writable',
  message: ({ reason }) =>
    `The first start could not write into the data folder (storage.data_dir): ${reason}. Set it to a folder that the service may write to.`,
})

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
 * Opens the state document `set-up`. The first start records whether the installation is fresh
 * before it creates the database folder, which would make it look like an existing one at the next
 * start.
 * @throws `set_up_not_written` if it cannot be written
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
