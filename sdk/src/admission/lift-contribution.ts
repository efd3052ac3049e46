import type { Contribution, ContributionPoint } from '../core/contribution-point.js'
import { suggestion } from '../core/nearest.js'

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
  /** The point, as the host knows it. */
  readonly point: ContributionPoint<Contribution>
  /** Empty if there has been one version. */
  readonly lifts: ReadonlyMap<number, ContributionLift>
}

/** The contribution points of a service, by id. */
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
