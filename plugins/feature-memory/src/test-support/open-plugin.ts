import { type MemoryBackend, memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import type { ChatMessages } from '@agent-service/sdk/services/chats'
import { type Contributed, contributionsService } from '@agent-service/sdk/services/contributions'
import { slotStandbyRefusedError, slotsService } from '@agent-service/sdk/services/slots'
import { createTestContext, type GivenServices, type PluginTestContext, testAccount } from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { createPlainBackend, type PlainBackend } from './plain-backend.js'

export const ada = testAccount.id

/** The plugin with back ends in memory. */
export interface OpenedPlugin {
  readonly host: PluginTestContext
  readonly basic: PlainBackend
  readonly pkm: PlainBackend
  /** The keys that stand by. */
  readonly standing: ReadonlySet<string>
  dispose(): Promise<void>
}

export const aChat: ChatMessages = {
  ...{ title: 'Trip', agentId: 'agent-1', spaceId: null, hidden: false, active: false },
  ...{ updatedAt: '2026-01-01T00:00:00.000Z', guests: false, messageCount: 2, items: [] },
}

/** `basic` is in use unless the settings say otherwise; `pkm` runs while it stands by, and the other way round. */
export async function openPlugin(
  settings: Readonly<Record<string, unknown>> = {},
  given: {
    readonly basic?: PlainBackend
    readonly pkm?: PlainBackend
    readonly tree?: PlainBackend
    readonly services?: GivenServices
    /** Keys that cannot stand by. */
    readonly broken?: ReadonlySet<string>
  } = {},
): Promise<OpenedPlugin> {
  const { basic = createPlainBackend('basic'), pkm = createPlainBackend('pkm'), services = [] } = given
  const { tree = createPlainBackend('tree'), broken } = given
  const standing = new Set<string>()
  const inUse = settings['backend'] ?? 'basic'
  const running = (): readonly Contributed<MemoryBackend>[] =>
    [basic.backend, pkm.backend, tree.backend]
      .filter(({ id }) => id === inUse || standing.has(id))
      .map((value) => ({ key: value.id, pluginId: `memory-${value.id}`, value }))
  const contributions = {
    list: (point: { readonly id: string }) => (point.id === memoryBackends.id ? running() : []),
    acquire(_point: unknown, key: string) {
      const found = running().find((each) => each.key === key)
      return found && { ...found, signal: new AbortController().signal, release: () => undefined }
    },
    onChange: () => () => undefined,
    settled: () => Promise.resolve(),
  }
  const slots = {
    async standby({ key }: { readonly key: string }) {
      if (broken?.has(key) === true) throw slotStandbyRefusedError.create({ point: memoryBackends.id, key, reason: 'it is broken' })
      standing.add(key)
      return () => void standing.delete(key)
    },
  }
  const host = createTestContext(plugin, {
    config: { memory: settings },
    services: [[slotsService, slots], [contributionsService, contributions], ...services],
  })
  host.services.chats.put(ada, 'chat-1', aChat)
  await host.setup()
  return { host, basic, pkm, standing, dispose: () => host.dispose() }
}
