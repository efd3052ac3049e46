import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import type { VaultConnector } from './vault-connector.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  connection: aSchema('closed object'),
  file: Type.Optional(aLine(64)),
  supports: Type.Object({ write: Type.Boolean(), renew: Type.Boolean() }),
  test: aFunction,
  list: aFunction,
  read: aFunction,
  write: Type.Optional(aFunction),
  renew: Type.Optional(aFunction),
  close: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a vault connector, each with a JSON pointer. Empty when connections
 * may use it. Never throws.
 */
export function checkVaultConnector(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkMembers(contribution as VaultConnector)
}

function checkMembers(connector: VaultConnector): readonly Problem[] {
  const { supports, connection, file } = connector
  const mismatches = (['write', 'renew'] as const).filter((name) => supports[name] !== (connector[name] !== undefined))
  return [
    ...mismatches.map((name) => ({ path: `/supports/${name}`, message: `must be ${!supports[name]}, as the connector has it` })),
    ...(file === undefined || Object.hasOwn(connection.properties, file)
      ? []
      : [{ path: '/file', message: 'must be the name of a member of connection' }]),
  ]
}
