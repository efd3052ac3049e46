import { definePlugin, type Logger } from '@agent-service/sdk'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { externalSignInService } from '@agent-service/sdk/services/external-sign-in'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { sealsService } from '@agent-service/sdk/services/seals'
import { urlService } from '@agent-service/sdk/services/urls'
import { ssoSection } from './configuration/sso-section.js'
import { createSsoCheck } from './doctor.js'
import { createIdentityProvider } from './provider/identity-provider.js'
import { createProviderConnection } from './provider/provider-connection.js'
import { createWorkingMethod, methodsCollection } from './provider/working-method.js'
import { callbackPath, createCallbackRoute } from './routes/callback-route.js'
import { createLoginRoute } from './routes/login-route.js'
import { createPendingSignIns } from './sign-in/pending-sign-ins.js'
import { handOverKind } from './sign-in/tell-hand-over.js'

/**
 * Sign-in with OpenID Connect. The kernel keeps the accounts, the rules for linking them, and the
 * sessions.
 */
export default definePlugin({
  manifest: {
    id: 'feature-sso',
    apiVersion: 1,
    description: 'Sign-in with OpenID Connect.',
    contributes: ['doctor.check', 'http.route'],
    requires: ['kernel.external-sign-in'],
    optional: ['notifications'],
    sections: { sso: ssoSection },
    rules: './rules.js',
    routes: ['/api/auth/sso'],
    permissions: [
      { kind: 'network', targetsFromConfiguration: ['/sso/authority'], reason: 'Identifies people at the identity provider.' },
      { kind: 'secrets', reason: 'Signs people in after the identity provider has proven their identity.' },
    ],
  },
  collections: [methodsCollection],
  setup(context) {
    const { enabled, authority, token_endpoint_auth_method: method, ...sso } = context.config.sso
    const clientId = withoutBlanks('sso.client_id', sso.client_id, context.log) ?? ''
    const clientSecret = withoutBlanks('sso.client_secret', sso.client_secret, context.log)
    const clock = context.use(clockService)
    const isOn = enabled && authority !== undefined && clientId !== ''
    const connection = isOn ? createProviderConnection({ authority, clientId, clientSecret, clock, signal: context.signal }) : undefined
    context.contribute(doctorChecks, createSsoCheck(context.config.sso, connection))
    // `agent-service doctor` examines the provider without a database.
    const database = context.use(databaseService, { optional: true })
    if (authority === undefined || connection === undefined || database === undefined) return
    if (sso.signups_match_email && sso.allow_unknown_email_verification) {
      context.log.warn(
        'A person for whom the identity provider names an e-mail address without marking it as unverified gets the account with that address. Set sso.allow_unknown_email_verification to false if the provider does not verify addresses.',
      )
    }
    const urls = context.use(urlService)
    const callbackUrl = () => urls.api(callbackPath)
    const provider = createIdentityProvider({
      ...{ connection, authority, clientId, clientSecret, method: method === 'auto' ? undefined : method },
      worked: createWorkingMethod({ database, authority, clientId, log: context.log }),
      ...{ scopes: sso.scopes, callbackUrl, log: context.log, signal: context.signal },
    })
    // The browser's path includes the path of the public address. No cookie can name a path with “;”.
    const path = () => new URL('.', callbackUrl()).pathname.replace(/\/$|\/[^/;]*;.*$/, '') || '/'
    const pendingSignIns = createPendingSignIns({ seals: context.use(sealsService), clock, path })
    const rules = { matchEmail: sso.signups_match_email, acceptUnverifiedEmail: sso.allow_unknown_email_verification }
    context.contribute(httpRoutes, createLoginRoute({ provider, pendingSignIns, urls }))
    const notifications = context.use(notificationsService)
    if (notifications) context.onDispose(notifications.declare(handOverKind))
    context.contribute(
      httpRoutes,
      createCallbackRoute({
        provider,
        pendingSignIns,
        signIn: context.use(externalSignInService),
        notifications,
        rules,
        urls,
        log: context.log,
      }),
    )
  },
})

/** A value out of a file or a variable often ends with a line break, which no provider has. Undefined if nothing is left. */
function withoutBlanks(setting: string, value: string | undefined, log: Pick<Logger, 'warn'>): string | undefined {
  const trimmed = value?.trim()
  if (trimmed !== value) log.warn(`${setting} begins or ends with blanks or line breaks. They are left out.`)
  return trimmed === '' ? undefined : trimmed
}
