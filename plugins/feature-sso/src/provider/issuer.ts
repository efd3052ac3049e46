/** Something about the provider that only an administrator can mend. The message says what to change. */
export class ProviderSetUpError extends Error {}

/** How the issuer that a provider names relates to `sso.authority`. */
export type IssuerRelation = 'same' | 'any tenant' | 'policy'

/**
 * Compares them (OpenID Connect Discovery, 4.3). Two providers differ by design, and nothing else may: Microsoft Entra names a
 * template where people of any tenant sign in, and Azure AD B2C its tenant where the authority names a policy.
 * @throws {@link ProviderSetUpError} with both values and the setting, if they do not belong together.
 */
export function relationOf(authority: URL, named: unknown): IssuerRelation {
  if (typeof named !== 'string' || !URL.canParse(named))
    throw new ProviderSetUpError(
      `What “${authority.href}” describes names no issuer: it is not a provider of OpenID Connect. Check sso.authority.`,
    )
  const issuer = new URL(named)
  if (issuer.href === authority.href) return 'same'
  if (authority.hostname === 'login.microsoftonline.com' && isTemplateOf(authority, named)) return 'any tenant'
  if (authority.hostname.endsWith('.b2clogin.com') && issuer.origin === authority.origin) return 'policy'
  throw new ProviderSetUpError(
    `The provider names its issuer “${named.slice(0, 200)}”, and sso.authority is “${authority.href}”. ${adviceOn(authority, issuer, named)}`,
  )
}

const isTemplateOf = (authority: URL, named: string): boolean =>
  /^\/(?:common|organizations|consumers)\/v2\.0\/?$/.test(authority.pathname) &&
  named.replace(/\/$/, '') === 'https://login.microsoftonline.com/{tenantid}/v2.0'

function adviceOn(authority: URL, issuer: URL, named: string): string {
  const set = `Set sso.authority to “${named.slice(0, 200)}”`
  const rest = ({ host, pathname }: URL): string => `${host}${pathname}`
  if (issuer.hostname === 'sts.windows.net') return 'Set sso.authority to the address of the tenant that ends with /v2.0.'
  if (issuer.origin === authority.origin && issuer.pathname.replace(/\/$/, '') === authority.pathname.replace(/\/$/, ''))
    return `They differ by the slash at the end. ${set}.`
  if (rest(issuer) === rest(authority))
    return issuer.protocol === 'http:'
      ? 'The provider believes that it is reached by http: give it its public address, or the headers of its proxy.'
      : `${set}.`
  if (rest(issuer).toLowerCase() === rest(authority).toLowerCase()) return `They differ in upper and lower case. ${set}.`
  if (issuer.origin !== authority.origin)
    return `If both are the same provider, give it its public address, or set sso.authority to the issuer; otherwise sso.authority leads to another one.`
  const isOldKeycloak = issuer.pathname.startsWith('/auth/') !== authority.pathname.startsWith('/auth/')
  return `${set}, with its path${isOldKeycloak ? ' (Keycloak has /auth before /realms up to version 16)' : ''}.`
}
