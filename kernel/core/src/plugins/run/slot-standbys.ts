import type { Disposer } from '@agent-service/sdk'
import { schemaAnnotations } from '@agent-service/sdk'
import { type SlotStandby, type Slots, slotStandbyRefusedError, slotsService } from '@agent-service/sdk/services/slots'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'
import type { PluginSlots } from '../order/plugin-slots.js'
import type { KernelServiceFactory } from '../start/plugin-environment.js'
import type { PluginExclusions } from './plugin-exclusions.js'
import type { PluginInstance } from './plugin-instance.js'
import { isUp } from './plugin-report.js'

/** Plugins that run beside the one that a setting picks, by id, with the point that they run for. */
export interface StandbyPoints {
  of(pluginId: string): string | undefined
  add(pluginId: string, point: string): void
  /** True if it is no longer held. */
  remove(pluginId: string): boolean
}

export function createStandbyPoints(): StandbyPoints {
  const held = new Map<string, { readonly point: string; readonly holders: number }>()
  return {
    of: (pluginId) => held.get(pluginId)?.point,
    add: (pluginId, point) => void held.set(pluginId, { point, holders: (held.get(pluginId)?.holders ?? 0) + 1 }),
    remove(pluginId) {
      const entry = held.get(pluginId)
      if (entry !== undefined && entry.holders > 1) held.set(pluginId, { ...entry, holders: entry.holders - 1 })
      else held.delete(pluginId)
      return !held.has(pluginId)
    },
  }
}

/** The service `kernel.slots`. */
export function createSlotsFactory(dependencies: {
  readonly points: StandbyPoints
  readonly slots: PluginSlots
  readonly exclusions: PluginExclusions
  readonly find: (id: string) => PluginInstance
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly start: (id: string) => Promise<void>
  readonly stop: (id: string, reason: string) => Promise<unknown>
  readonly signal: AbortSignal
}): KernelServiceFactory {
  const { points, slots, exclusions, find, exclusively, start, stop, signal } = dependencies

  /** Does not wait: it is called while the plugin that asked stops, which is a change of the host itself. */
  const release = (id: string): void => {
    if (!points.remove(id)) return
    void exclusively(async () => {
      const exclusion = exclusions.of(find(id))
      if (!signal.aborted && points.of(id) === undefined && exclusion !== undefined && isUp(find(id).state()))
        await stop(id, exclusion.reason)
    })
  }

  const standby = (owner: DiscoveredPlugin, { point, key }: SlotStandby): Promise<Disposer> =>
    exclusively(async () => {
      const refuse = (reason: string): Error => slotStandbyRefusedError.create({ point, key, reason })
      if (!ownsSlot(owner, point)) throw refuse(`plugin “${owner.id}” has no setting that picks for this point`)
      const plugin = slots.find(point, key)
      if (plugin === undefined) throw refuse('no installed plugin has it')
      if (slots.filledBy(plugin.id)?.point === point) return () => undefined
      if (signal.aborted) throw refuse('the service is stopping')
      points.add(plugin.id, point)
      const exclusion = exclusions.of(find(plugin.id))
      if (exclusion === undefined) await start(plugin.id)
      const instance = find(plugin.id)
      if (exclusion !== undefined || !isUp(instance.state())) {
        points.remove(plugin.id)
        throw refuse(`plugin “${plugin.id}” is ${exclusion?.reason ?? `${instance.state()}: ${instance.reason() ?? 'without a reason'}`}`)
      }
      let isHeld = true
      return () => {
        if (isHeld) release(plugin.id)
        isHeld = false
      }
    })

  return (pluginId, scope) =>
    Object.freeze<Slots>({
      async standby(wanted) {
        const held = scope.child(`standby of ${wanted.point}`)
        held.add('standby', await standby(find(pluginId).plugin, wanted))
        return async () => {
          await held.dispose()
        }
      },
    })
}

export const slotsServiceId = slotsService.id

function ownsSlot(plugin: DiscoveredPlugin, point: string): boolean {
  if (plugin.status !== 'valid') return false
  return Object.values(plugin.manifest.sections ?? {}).some((schema) =>
    Object.values((schema as { readonly properties?: Readonly<Record<string, unknown>> }).properties ?? {}).some(
      (member) => (member as Readonly<Record<string, unknown>>)[schemaAnnotations.slot] === point,
    ),
  )
}
