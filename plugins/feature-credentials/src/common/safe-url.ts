import type { CredentialOwner } from '@agent-service/sdk/services/credentials'

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * What is wrong with the address of an authorization server; `undefined` if secrets and people may
 * be sent there: https, and for the deployment's own credentials also http on this machine.
 */
export function problemWithUrl(text: string, owner: CredentialOwner): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL'
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (protocol === 'https:') return undefined
  if (owner !== 'deployment') return 'must be https'
  return protocol === 'http:' && loopbackNames.has(hostname) ? undefined : 'must be https, or http on this machine'
}
