import type { OAuthClient } from '@agent-service/sdk/services/credentials'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'

/**
 * The OAuth client for sign-ins at a brand, from the catalogue: a public client with the endpoints
 * that the brand gave its own programs.
 */
export function clientOfBrand(settings: SignInSettings): OAuthClient {
  const { token_url: tokenUrl, client_id: clientId, scopes, account_id_claim: accountClaim } = settings
  return {
    ...{ clientId, tokenUrl, scopes },
    ...(accountClaim && { accountClaim }),
    ...(settings.kind === 'device'
      ? { deviceUrl: settings.device_url }
      : { authorizationUrl: settings.authorization_url, ...(settings.parameters && { parameters: settings.parameters }) }),
  }
}
