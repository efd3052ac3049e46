import { isDeepStrictEqual } from 'node:util'
import type { Contribution, RecordedContribution, RecordedSetup } from '@agent-service/sdk'
import { foreignCollectionLines, mayWait, pluginUndeclaredError, recordContributions, unknownPointLines } from '@agent-service/sdk/host'
import { isBundled } from '../../modules/import-file.js'
import type { Admission } from '../contributions/contribution-registry.js'
import { deferredContribution } from '../contributions/deferred-contribution.js'
import type { EndedSetup } from '../contributions/prepare-contributions.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import { pluginUnavailableError, recordedSetupDiffersError, refusedPlugin } from '../plugin-errors.js'
import type { PluginEnvironment } from './plugin-environment.js'
import { type PublishedPlugin, prepare, publish } from './publish-contributions.js'

/** What a plugin contributes before its code is loaded. */
export interface Offer {
  readonly admission: Admission
  /**
   * From now on calls go to what its setup contributed.
   * @throws `recorded_setup_differs` if that is something else than was recorded.
   */
  fulfil(contributions: EndedSetup['contributions']): void
}

/**
 * Publishes what was recorded of a plugin. The first call of one of its functions calls `start`, which never
 * rejects and resolves to whether the offer is fulfilled.
 * @throws an error whose message is the reason in the report.
 */
export function offerPlugin(published: PublishedPlugin, recorded: RecordedSetup, start: () => Promise<boolean>): Offer {
  const { plugin, environment } = published
  const isChecked = plugin.entryPath !== undefined && isBundled(plugin.entryPath)
  const lines = undeclaredLines(plugin, recorded, environment)
  if (lines.length > 0) throw refusedPlugin(lines)
  const code: (Contribution | undefined)[] = []
  const deferred = (record: RecordedContribution, index: number): Contribution =>
    deferredContribution(record, plugin.folder, {
      current: () => code[index],
      async start() {
        const runs = await start()
        const contribution = code[index]
        if (!runs || contribution === undefined) throw pluginUnavailableError.create({ id: plugin.id })
        return contribution
      },
    })
  const contributions = recorded.contributions.flatMap((record, index) => {
    const known = environment.knownPoints.get(record.point)
    return known === undefined ? [] : [{ point: known.point, contribution: deferred(record, index) }]
  })
  const setup = { contributions, services: new Map(), violations: [] }
  // Which services it provides shows when its setup runs.
  const prepared = prepare(published, setup, { provides: [], collections: recorded.collections, isChecked })
  const admission = publish(
    published,
    prepared.map((contribution) => ({ ...contribution, start })),
  )
  return {
    admission,
    fulfil(given) {
      const differing = differenceOf(recorded, given, plugin.folder)
      if (differing !== undefined) throw recordedSetupDiffersError.create({ difference: differing })
      code.push(...given.map(({ contribution }) => contribution))
    },
  }
}

/** What `plugin.json` says in `recorded` is held to the same as what setup does. */
function undeclaredLines(
  plugin: ValidPlugin,
  { contributions, collections }: RecordedSetup,
  { knownPoints }: Pick<PluginEnvironment, 'knownPoints'>,
): readonly string[] {
  const { contributes = [] } = plugin.manifest
  const hasty = contributions.flatMap(({ point, functions }) =>
    functions
      .filter((name) => !mayWait(point, name))
      .map((name) => `plugin.json records the function “${name}” of ${point}, which cannot wait`),
  )
  const undeclared = new Set(contributions.map(({ point }) => point).filter((point) => !contributes.includes(point)))
  return [
    ...unknownPointLines(plugin.manifest, knownPoints),
    ...[...undeclared].map(
      (id) => pluginUndeclaredError.create({ plugin: plugin.id, action: 'contribute', id, list: 'contributes' }).message,
    ),
    ...hasty,
    ...foreignCollectionLines(
      plugin,
      collections.map(({ name }) => name),
    ),
  ]
}

function differenceOf({ contributions }: RecordedSetup, given: EndedSetup['contributions'], folder: string): string | undefined {
  const now = recordContributions(given, folder)
  if ('reason' in now) return now.reason
  if (now.recorded.length !== contributions.length) return `it contributes ${now.recorded.length} things instead of ${contributions.length}`
  const changed = given[now.recorded.findIndex((record, index) => !isDeepStrictEqual(record, contributions[index]))]
  return changed && `its contribution “${changed.point.keyOf(changed.contribution)}” to ${changed.point.id} is another one`
}
