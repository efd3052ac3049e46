import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ProviderProtocol } from '@agent-service/sdk/contracts/provider-adapter'

/** The paths of `extraParams` that a protocol's owner keeps for itself; more of them when the answer's schema was asked for. */
export function protectedPathsTouched(extraParams: JsonObject, protocol: ProviderProtocol, structured: boolean): readonly string[] {
  const paths = structured ? [...protocol.protectedPaths, ...protocol.protectedStructuredPaths] : protocol.protectedPaths
  return paths.filter((path) => touches(extraParams, path.split('.')))
}

function touches(value: JsonValue | undefined, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return true
  const members = value as JsonObject
  return Object.hasOwn(members, first) && (rest.length === 0 || touches(members[first], rest))
}
