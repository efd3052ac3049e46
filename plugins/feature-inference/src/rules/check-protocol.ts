import type { ConfigurationFinding } from '@agent-service/sdk'
import type { Connection } from '../connections/connections.js'
import { type ConfiguredModels, type Target, textIn } from './configured-models.js'

/** Whether the connection of a target speaks the requested protocol, with the findings about it. */
export function checkProtocol(
  target: Target,
  { catalogue, settingsOf }: ConfiguredModels,
): { readonly spoken: boolean; readonly findings: readonly ConfigurationFinding[] } {
  const { connection, protocol, path, settings } = target
  if (!connection || protocol === undefined) return { spoken: false, findings: [] }
  const offered = connection.brand?.protocols ?? catalogue.protocolsOf(connection.adapter ?? '')
  // The protocols of a third-party adapter are known once its plugin runs.
  if (offered.length === 0) return { spoken: false, findings: [] }
  const written = textIn(settings, 'api')
  if (!offered.includes(protocol)) {
    const isItsFamily = catalogue.family(written ?? '')?.id === connection.adapter && offered.length > 1
    const fault = isItsFamily ? 'is ambiguous between several protocols' : `is not spoken by ${speakerOf(connection)}`
    const message = `“${written ?? protocol}” ${fault}; the connection speaks ${offered.join(', ')}`
    return { spoken: false, findings: [{ path: `${path}.api`, message }] }
  }
  const noEffect = settingsOf(protocol)?.noEffect
  return { spoken: true, findings: noEffect === undefined ? [] : [warning(target, written, noEffect)] }
}

const warning = ({ path, protocol }: Target, written: string | undefined, noEffect: string): ConfigurationFinding => ({
  path: written === undefined ? path : `${path}.api`,
  severity: 'warning',
  message: `the protocol “${protocol}” cannot be called: ${noEffect}`,
})

/** The brand or adapter that speaks a protocol, for messages. */
export const speakerOf = ({ brand, adapter }: Connection): string => (brand ? `the brand “${brand.id}”` : String(adapter))
