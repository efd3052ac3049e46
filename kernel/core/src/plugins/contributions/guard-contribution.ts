import { type Contribution, defineError } from '@agent-service/sdk'
import type { ChannelSession } from '@agent-service/sdk/contracts/channel'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { SiteUpgradeResponse } from '@agent-service/sdk/contracts/http-site'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { contributionFunctions, type FunctionKind, membersOf } from '@agent-service/sdk/host'
import { type ContributionGuard, guardTool } from './guard-tool.js'

const noStreamError = defineError<{ readonly member: string }>({
  code: 'contribution_no_stream',
  status: 500,
  title: 'No stream',
  message: ({ member }) => `“${member}” of a plugin must return an AsyncIterable but returned something else.`,
})

/** The kernel and the command line alone call them, and attribute what fails to the plugin themselves. */
const unguarded: readonly string[] = [cliCommands.id, doctorChecks.id]

/**
 * A contribution as others see it: its current members, frozen. Its functions and streams run as
 * work of the plugin. Contributions to points without functions are returned unchanged.
 */
export function guardContribution(point: string, contribution: Contribution, guard: ContributionGuard): Contribution {
  const kinds = contributionFunctions.get(point)
  if (kinds === undefined || unguarded.includes(point)) return contribution
  const members = membersOf(contribution)
  for (const [name, member] of members) {
    if (typeof member !== 'function') continue
    const kind = point !== tools.id && Object.hasOwn(kinds, name) ? kinds[name] : undefined
    members.set(name, kind ? guarded(contribution, name, member as Member, kind, guard) : member.bind(contribution))
  }
  const copy: unknown = Object.fromEntries(members)
  return point === tools.id ? guardTool(copy as Tool, guard) : Object.freeze(copy as Contribution)
}

type Member = (...given: unknown[]) => unknown

function guarded(owner: Contribution, name: string, member: Member, kind: FunctionKind, guard: ContributionGuard): Member {
  const call = (...given: unknown[]): unknown => guard.run(() => member.apply(owner, given))
  switch (kind) {
    case 'immediate':
    case 'call':
      return call
    case 'stream':
      return (...given) => iterateWithin(name, call(...given), guard)
    case 'response':
      return async (...given) => guardResponse((await call(...given)) as RouteResponse, guard)
    case 'site':
      return async (...given) => guardSiteResponse((await call(...given)) as SiteUpgradeResponse, guard)
    case 'session':
      return async (...given) => guardSession((await call(...given)) as ChannelSession, guard)
  }
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

/** The same session, each call of it running as work of the plugin, and each step of a download. */
function guardSession(session: ChannelSession, guard: ContributionGuard): ChannelSession {
  if (typeof session !== 'object' || session === null) return session
  const members = membersOf(session)
  for (const [name, member] of members) {
    if (typeof member !== 'function') continue
    const call = (...given: unknown[]): unknown => guard.run(() => (member as Member).apply(session, given))
    members.set(name, name === 'download' ? (...given: unknown[]) => iterateWithin(name, call(...given), guard) : call)
  }
  return Object.freeze(Object.fromEntries(members) as unknown as ChannelSession)
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
      const step = () => iterator.next()
      return {
        next: () => guard.run(step),
        ...(end && { return: (value?: unknown) => guard.run(() => end.call(iterator, value)) }),
        ...(fail && { throw: (error?: unknown) => guard.run(() => fail.call(iterator, error)) }),
      }
    },
  }
}
