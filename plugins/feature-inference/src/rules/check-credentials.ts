import type { ConfigurationFinding } from '@agent-service/sdk'
import type { ConnectionSettings } from '../configuration/providers-section.js'

/** Each connection authenticates in one way. */
export function checkCredentials(path: string, settings: ConnectionSettings): readonly ConfigurationFinding[] {
  const has = (name: keyof ConnectionSettings): boolean => settings[name] !== undefined
  const besideCredential = (['api_key', 'aws_profile', 'azure_credential'] as const).filter((name) => has('credential_id') && has(name))
  return [
    ...(has('azure_credential')
      ? [{ path: `${path}.azure_credential`, message: 'is not supported: the cloud tenant takes an API key. Set api_key' }]
      : []),
    ...besideCredential.map((name) => ({
      path: `${path}.credential_id`,
      message: `cannot be combined with ${name}; keep one of the two`,
    })),
    ...(has('aws_profile') && has('api_key')
      ? [{ path: `${path}.aws_profile`, message: 'cannot be combined with api_key; keep one of the two' }]
      : []),
  ]
}
