import { definePlugin, type PluginManifest, Type } from '@agent-service/sdk'
import { type MemoryBackend, memoryBackends } from '@agent-service/sdk/contracts/memory-backend'

export const backendManifest = {
  id: 'memory-fleeting',
  apiVersion: 1,
  description: 'A memory that keeps nothing.',
  contributes: ['memory.backend'],
  extends: [{ section: 'memory', place: 'backend', variant: 'fleeting', schema: Type.Object({}) }],
} satisfies PluginManifest

const backend: MemoryBackend = {
  specVersion: 1,
  id: 'fleeting',
  title: 'Fleeting memory',
  supports: { history: false, sweep: false, passes: false, revisions: false },
  promptText: async () => undefined,
  remember: async ({ key }) => ({ id: key }),
  search: async () => [],
  forget: async () => false,
  chatChanged: async () => undefined,
  list: async () => ({ items: [] }),
  get: async () => undefined,
  change: async () => undefined,
  async *export() {
    yield* []
  },
  import: async () => ({ records: 0 }),
  erase: async () => undefined,
}

export default definePlugin({
  manifest: backendManifest,
  setup(context) {
    context.contribute(memoryBackends, backend)
  },
})
