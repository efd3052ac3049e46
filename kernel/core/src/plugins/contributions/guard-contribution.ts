import { type Contribution, defineError } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { httpRoutes, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { httpSites, type SiteUpgradeResponse } from '@agent-service/sdk/contracts/http-site'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import { type ContributionGuard, guardTool } from './guard-tool.js'

/** A function that has to return a stream returned something else. */
const noStreamError = defineError<{ readonly member: string }>({
  code: 'contribution_no_stream',
  status: 500,
  title: 'No stream',
  message: ({ member }) => `“${member}” of a plugin must return an AsyncIterable but returned something else.`,
})

type FunctionKind = 'call' | 'stream' | 'response' | 'site'

/** The functions of each point's contributions that other plugins and the kernel call. */
const functionsOf: ReadonlyMap<string, Readonly<Record<string, FunctionKind>>> = new Map<string, Readonly<Record<string, FunctionKind>>>([
  [providerAdapters.id, { call: 'stream', embed: 'call' }],
  [httpRoutes.id, { handle: 'response' }],
  [schedulerJobs.id, { run: 'call' }],
  [userData.id, { export: 'stream', erase: 'call', size: 'call' }],
  [agentPromptSections.id, { text: 'call' }],
  [
    agentRunHooks.id,
    {
      ...{ beforeModelCall: 'call', afterModelCall: 'call', beforeToolCall: 'call', afterToolCall: 'call' },
      ...{ mask: 'call', runEnded: 'call' },
    },
  ],
  [chatParts.id, { erase: 'call', export: 'call', import: 'call' }],
  [toolSources.id, { tools: 'call', execute: 'call', probe: 'call', changes: 'stream' }],
  [
    memoryBackends.id,
    {
      ...{ promptText: 'call', remember: 'call', search: 'call', forget: 'call', chatChanged: 'call', sweep: 'call' },
      ...{ list: 'call', change: 'call', export: 'stream', import: 'call', erase: 'call' },
    },
  ],
  [policyEngines.id, { prepare: 'call', load: 'call', decide: 'call', rehearse: 'call', check: 'call' }],
  [websocketRoutes.id, { handle: 'call' }],
  [httpErrorFormats.id, { format: 'call' }],
  [httpSites.id, { handle: 'site', upgrade: 'site' }],
])

/**
 * A contribution as others see it: its current members, frozen. Its functions and streams run as
 * work of the plugin. Contributions to other points are returned unchanged.
 */
export function guardContribution(point: string, contribution: Contribution, guard: ContributionGuard): Contribution {
  const kinds = functionsOf.get(point)
  if (kinds === undefined && point !== tools.id) return contribution
  const members = membersOf(contribution)
  if (kinds === undefined) return guardTool(members as unknown as Tool, guard)
  for (const [name, kind] of Object.entries(kinds)) {
    const member = members[name]
    if (typeof member === 'function') members[name] = guarded(name, member as (...given: unknown[]) => unknown, kind, guard)
  }
  return Object.freeze(members) as unknown as Contribution
}

function guarded(name: string, member: (...given: unknown[]) => unknown, kind: FunctionKind, guard: ContributionGuard) {
  switch (kind) {
    case 'call':
      return (...given: unknown[]) => guard.run(() => member(...given))
    case 'stream':
      return (...given: unknown[]) =>
        iterateWithin(
          name,
          guard.run(() => member(...given)),
          guard,
        )
    case 'response':
      return async (...given: unknown[]) => guardResponse((await guard.run(() => member(...given))) as RouteResponse, guard)
    case 'site':
      return async (...given: unknown[]) => guardSiteResponse((await guard.run(() => member(...given))) as SiteUpgradeResponse, guard)
  }
}

/**
 * The members of an object by name, including those of its classes, each read once. Methods stay
 * bound to the object.
 */
function membersOf(contribution: Contribution): Record<string, unknown> {
  const names = new Set<string>()
  for (
    let place: object | null = contribution;
    place !== null && place !== Object.prototype;
    place = Object.getPrototypeOf(place) as object | null
  )
    for (const name of Object.getOwnPropertyNames(place)) if (name !== 'constructor') names.add(name)
  const source = contribution as unknown as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    [...names].map((name) => {
      const member = source[name]
      return [name, typeof member === 'function' ? (...given: unknown[]): unknown => member.apply(contribution, given) : member]
    }),
  )
}

function guardResponse(response: RouteResponse, guard: ContributionGuard): RouteResponse {
  if (response?.kind === 'stream') return { ...response, stream: iterateWithin('stream', response.stream, guard) }
  if (response?.kind === 'events') return { ...response, events: iterateWithin('events', response.events, guard) }
  return response
}

function guardSiteResponse(response: SiteUpgradeResponse, guard: ContributionGuard): SiteUpgradeResponse {
  if (typeof response !== 'object' || response === null) return response
  if ('bytes' in response) return { ...response, bytes: iterateWithin('bytes', response.bytes, guard) }
  return response.body === undefined ? response : { ...response, body: iterateWithin('body', response.body, guard) }
}

/** The same stream, each step of it running as work of the plugin. */
function iterateWithin<Item>(member: string, stream: unknown, guard: ContributionGuard): AsyncIterable<Item> {
  const source = stream as Partial<AsyncIterable<Item>> | null | undefined
  if (typeof source?.[Symbol.asyncIterator] !== 'function') throw noStreamError.create({ member })
  const iterable = source as AsyncIterable<Item>
  return {
    [Symbol.asyncIterator]() {
      const iterator = guard.run(() => iterable[Symbol.asyncIterator]())
      const { return: end, throw: fail } = iterator
      return {
        next: () => guard.run(() => iterator.next()),
        ...(end === undefined ? {} : { return: (value?: unknown) => guard.run(() => end.call(iterator, value)) }),
        ...(fail === undefined ? {} : { throw: (error?: unknown) => guard.run(() => fail.call(iterator, error)) }),
      }
    },
  }
}
