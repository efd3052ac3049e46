import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contribution, ContributionPoint, Disposer, JsonObject } from '@agent-service/sdk'
import { Type } from '@agent-service/sdk'
import {
  type ExpiredWait,
  type ModelEvent,
  type ModelRequest,
  type ProviderAdapter,
  type ProviderFailure,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import type { Collection, Database } from '@agent-service/sdk/services/database'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { Secrets } from '@agent-service/sdk/services/secrets'

const resourcesFolder = fileURLToPath(new URL('../../../../resources/', import.meta.url))

/** The resources of the repository. */
export const repositoryResources: Resources = {
  list: () => Promise.resolve([]),
  read: (path) => readFile(join(resourcesFolder, path), 'utf8'),
}

/** An empty cache that keeps nothing. */
export const emptyCache: CacheFiles = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}

/** An empty database: calls without a user are not stored. */
export const emptyDatabase: Database = {
  shared: false,
  collection: () => ({ query: async () => ({ items: [] }) }) as unknown as Collection<never>,
  transaction: () => Promise.reject(new Error('Nothing is stored here.')),
}

/** Secrets from a given environment; remembers the protected values. */
export function createFakeSecrets(environment: Record<string, string>): Secrets & { readonly protectedValues: string[] } {
  const protectedValues: string[] = []
  return {
    protectedValues,
    protect: (value) => void protectedValues.push(value),
    resolve(text) {
      const missing = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '').find((name) => environment[name] === undefined)
      if (missing !== undefined) return { missing }
      return { value: text.replace(/\$\{(\w+)\}/g, (_, name: string) => environment[name] ?? '') }
    },
  }
}

/** A clock whose waits end at once and are recorded. */
export function createInstantClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  let time = 0
  return {
    waits,
    now: () => time,
    monotonic: () => time,
    after: () => () => undefined,
    async wait(milliseconds, { signal }) {
      waits.push(milliseconds)
      time += milliseconds
      await Promise.resolve()
      signal.throwIfAborted()
    },
  }
}

/** Contributed adapters, with the set of open leases. */
export function createFakeContributions(
  adapters: readonly ProviderAdapter[],
): Contributions & { readonly open: Set<symbol>; stop(): void } {
  const open = new Set<symbol>()
  const stopping = new AbortController()
  const contributed = adapters.map((value) => ({ key: value.id, pluginId: `plugin-of-${value.id}`, value }))
  return {
    open,
    stop: () => stopping.abort(new Error('stopping')),
    list: <T extends Contribution>(_: ContributionPoint<T>) => contributed as unknown as readonly Contributed<T>[],
    acquire<T extends Contribution>(_: ContributionPoint<T>, key: string) {
      const found = contributed.find((entry) => entry.key === key)
      if (!found) return undefined
      const token = Symbol(key)
      open.add(token)
      return { ...found, value: found.value as unknown as T, signal: stopping.signal, release: () => void open.delete(token) }
    },
    onChange: (): Disposer => () => undefined,
    prepare: () => undefined,
    settled: async () => undefined,
  }
}

/** One call of the scripted adapter: the events to yield; an error is thrown. */
export type Script = readonly (ModelEvent | Error)[]

/** An adapter that plays one script per call, repeats the last one, and records the requests. */
export function createScriptedAdapter(
  scripts: readonly Script[],
  changes: Partial<ProviderAdapter> = {},
): ProviderAdapter & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    specVersion: 1,
    id: 'adapter_alpha',
    name: 'openai',
    protocols: [
      {
        id: 'completions',
        aliases: ['chat_completions'],
        settings: Type.Object({ seed: Type.Optional(Type.Integer()) }),
        protectedPaths: ['own.field'],
        protectedStructuredPaths: [],
      },
    ],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: true,
      images: true,
      files: true,
      reasoning: true,
      opaqueParts: true,
      structuredOutput: true,
    },
    ...changes,
    requests,
    async *call(request, { signal }) {
      requests.push(request)
      for (const step of scripts[Math.min(requests.length, scripts.length) - 1] ?? []) {
        signal.throwIfAborted()
        if (step instanceof Error) throw step
        yield step
      }
    },
  }
}

export const failure = (
  kind: ProviderFailure,
  retryable: boolean,
  details: { readonly retryAfterMs?: number; readonly expiredWait?: ExpiredWait } = {},
) => providerError.create({ failure: kind, retryable, connection: 'work', model: 'm', reason: `It was ${kind}.`, ...details })

export const started: ModelEvent = { type: 'response.started' }
export const textDelta: ModelEvent = { type: 'text.delta', part: 0, text: 'Hi' }
export const finished: ModelEvent = {
  type: 'response.finished',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'stop',
  usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
}
export const answer: Script = [started, textDelta, finished]

/** A configured group with its defaults. */
export const groupOf = (changes: JsonObject = {}): JsonObject => ({
  provider: 'work',
  model: 'model-1',
  extra_params: {},
  fallbacks: [],
  retry: { max_retries: 3, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 },
  ...changes,
})
