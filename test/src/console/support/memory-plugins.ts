import { definePlugin, type PluginManifest, Type } from '@agent-service/sdk'
import {
  defineMemoryBackend,
  type MemoryBackend,
  type MemoryPass,
  type MemoryRevision,
  memoryBackends,
} from '@agent-service/sdk/contracts/memory-backend'
import { createPlainMemory } from '@agent-service/sdk/testing'

const manifestOf = (id: string) =>
  ({
    id: `memory-${id}`,
    apiVersion: 1,
    description: `The memory ${id} of a test.`,
    contributes: ['memory.backend'],
    extends: [{ section: 'memory', place: 'backend', variant: id, schema: Type.Object({}) }],
  }) satisfies PluginManifest

/** Has none of the optional abilities. */
export const plainMemory: MemoryBackend = createPlainMemory({ now: Date.now, id: 'plain' })

/** What the full memory shows beside its memories; a test sets it. */
export const background: { passes: MemoryPass[]; revisions: MemoryRevision[]; readonly calls: string[] } = {
  passes: [],
  revisions: [],
  calls: [],
}

/** Has every ability; of an earlier time it knows what was valid then. */
export const fullMemory: MemoryBackend = createFullMemory()

function createFullMemory(): MemoryBackend {
  const { specVersion: _, supports: __, ...plain } = createPlainMemory({ now: Date.now, id: 'full' })
  return defineMemoryBackend({
    ...plain,
    title: 'Full memory',
    supports: { history: true, sweep: true, passes: true, revisions: true },
    async list(reader, { asOf, ...options }) {
      const at = asOf ?? new Date().toISOString()
      const page = await plain.list(reader, options)
      const items = page.items.filter(({ validFrom, validTo }) => (validFrom ?? '') <= at && at < (validTo ?? '~'))
      return { ...page, items }
    },
    async sweep() {
      return { users: 1, more: false }
    },
    async passes() {
      return { items: background.passes }
    },
    async retryPass(id) {
      const found = background.passes.find((pass) => pass.id === id)
      if (found) background.calls.push(`retry ${id}`)
      background.passes = background.passes.map((pass) =>
        pass.id === id ? { ...pass, state: 'waiting', error: null, nextAttemptAt: new Date().toISOString(), finishedAt: null } : pass,
      )
      return found !== undefined
    },
    async revisions() {
      return background.revisions
    },
    async restore(id) {
      const found = background.revisions.some((revision) => revision.id === id)
      if (found) background.calls.push(`restore ${id}`)
      background.revisions = background.revisions.filter((revision) => revision.id !== id)
      return found
    },
  })
}

export const plainPlugin = definePlugin({
  manifest: manifestOf('plain'),
  setup: (context) => void context.contribute(memoryBackends, plainMemory),
})
export const fullPlugin = definePlugin({
  manifest: manifestOf('full'),
  setup: (context) => void context.contribute(memoryBackends, fullMemory),
})
