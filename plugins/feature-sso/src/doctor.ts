import { abortable } from '@agent-service/sdk/async'
import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import type { SsoSection } from './configuration/sso-section.js'
import { ProviderSetUpError } from './provider/issuer.js'
import type { ProviderConnection } from './provider/provider-connection.js'
import { reachReason } from './provider/sign-in-error.js'

/** Reads what the identity provider says of itself, and compares it with the section, without a sign-in. */
export const createSsoCheck = (
  settings: Pick<SsoSection, 'authority' | 'client_secret' | 'token_endpoint_auth_method'>,
  connection: ProviderConnection | undefined,
): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-sso',
    title: 'Single sign-on',
    async run({ signal }) {
      if (connection === undefined) return { findings: [] }
      try {
        const { configuration } = await abortable(() => connection.open(), signal)
        const { issuer, token_endpoint_auth_methods_supported: offered } = configuration.serverMetadata()
        return { findings: [{ state: 'well', text: `${issuer} answers`.slice(0, 500) }, ...methodFindings(settings, offered)] }
      } catch (error) {
        signal.throwIfAborted()
        const isSetUp = error instanceof ProviderSetUpError
        const text = isSetUp ? error.message : `${settings.authority}: ${reachReason(error)}`
        return { findings: [{ state: isSetUp ? 'failed' : 'warning', text: text.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, 500) }] }
      }
    },
  })

function methodFindings(
  { client_secret: secret, token_endpoint_auth_method: method }: Parameters<typeof createSsoCheck>[0],
  offered: readonly string[] | undefined,
): readonly DoctorFinding[] {
  if (secret === undefined || method === 'auto' || offered === undefined || offered.includes(method)) return []
  const text = `sso.token_endpoint_auth_method is ${method}, and the provider offers ${offered.join(', ')}`
  return [{ state: 'warning', text: text.slice(0, 500) }]
}
