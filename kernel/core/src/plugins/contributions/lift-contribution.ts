import type { Contribution, ContributionPoint } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { httpSites } from '@agent-service/sdk/contracts/http-site'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'
import { suggestion } from '@agent-service/sdk/host'

/**
 * Converts a contribution from one contract version to the next. Pure; the result has the higher
 * `specVersion`.
 */
export type ContributionLift = (contribution: Contribution) => Contribution

/**
 * A point and the lifts that convert older contributions to its newest version, by the version that
 * they start from.
 */
export interface KnownPoint {
  readonly point: ContributionPoint<Contribution>
  readonly lifts: ReadonlyMap<number, ContributionLift>
}

/** Points by id. */
export type KnownPoints = ReadonlyMap<string, KnownPoint>

/**
 * Makes {@link KnownPoints}. Typed points are stored as points of plain contributions; the kernel
 * passes each only its own contributions.
 */
export function knownPointsOf(
  known: readonly { readonly point: unknown; readonly lifts?: ReadonlyMap<number, ContributionLift> }[],
): KnownPoints {
  return new Map(
    known.map(({ point, lifts = new Map() }) => {
      const value = point as ContributionPoint<Contribution>
      return [value.id, { point: value, lifts }]
    }),
  )
}

/**
 * The contracts of this version of the service. Each contract has one version so far, so there are
 * no lifts.
 */
export const contractPoints: KnownPoints = knownPointsOf(
  [
    databaseDrivers,
    providerAdapters,
    tools,
    toolSources,
    httpErrorFormats,
    httpRoutes,
    websocketRoutes,
    httpSites,
    schedulerJobs,
    userData,
    cliCommands,
    agentPromptSections,
    agentRunHooks,
    chatParts,
    memoryBackends,
    policyEngines,
  ].map((point) => ({ point })),
)

/**
 * A contribution in its point's newest version with that point, or the reason against it. The
 * kernel's own copy of the contract decides, never the plugin's.
 */
export function liftContribution(
  contribution: Contribution,
  pointId: string,
  knownPoints: KnownPoints,
): { readonly value: Contribution; readonly point: ContributionPoint<Contribution> } | { readonly reason: string } {
  const known = knownPoints.get(pointId)
  if (known === undefined) return { reason: unknownPointReason(pointId, knownPoints) }
  const versions = known.point.specVersions
  const newest = versions.at(-1) ?? 1
  let value = contribution
  while (value.specVersion !== newest) {
    const found = value.specVersion
    const lift = known.lifts.get(found)
    if (!Number.isSafeInteger(found)) return { reason: `“specVersion” is ${String(found)}; write specVersion: ${newest}` }
    if (found > newest)
      return {
        reason: `it was written for version ${found} of the contract, and this service supports ${versions.join(', ')}: update the service`,
      }
    if (lift === undefined)
      return {
        reason: `it was written for version ${found} of the contract, and this service supports ${versions.join(', ')}: install a newer version of the plugin`,
      }
    value = lift(value)
    if (value.specVersion <= found) return { reason: `lifting it from version ${found} of the contract did not raise the version` }
  }
  return { value, point: known.point }
}

/** Why a point takes no contributions. */
export const unknownPointReason = (pointId: string, knownPoints: KnownPoints): string =>
  `this version of the service has no contribution point “${pointId}”${suggestion(pointId, knownPoints.keys())}`
