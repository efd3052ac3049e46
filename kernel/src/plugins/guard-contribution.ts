import { type Contribution, defineError } from '@agent-service/sdk'
import { httpRoutes, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { ContributionGuard } from './contribution-guard.js'
import { guardTool } from './guard-tool.js'

/** A stream was promised, and something else came. */
const noStreamError = defineError<{ readonly member: string }>({
  code: 'contribution_no_stream',
  status: 500,
  title: 'No stream',
  message: ({ member }) => `“${member}” of a plugin has to return an AsyncIterable and returned something else.`,
})

type FunctionKind = 'call' | 'stream' | 'response'

/** The functions of each point's contributions that other plugins and the kernel call. */
const functionsOf: ReadonlyMap<string, Readonly<Record<string, FunctionKind>>> = new Map<string, Readonly<Record<string, FunctionKind>>>([
  [providerAdapters.id, { call: 'stream' }],
  [httpRoutes.id, { handle: 'response', problemMembers: 'call' }],
  [schedulerJobs.id, { run: 'call' }],
  [userData.id, { export: 'stream', erase: 'call', size: 'call' }],
])

/**
 * A contribution as others see it: its members as they are now, frozen, and its functions running as work of the plugin, streams included.
 * Contributions to other points are given as they are.
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
  }
}

/** The members of an object by name, those of its classes included, each read once. Methods stay bound to the object. */
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
