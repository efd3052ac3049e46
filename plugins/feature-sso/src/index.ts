import { definePlugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { clockService } from '@agent-service/sdk/services/clock'
import { externalSignInService } from '@agent-service/sdk/services/external-sign-in'
import { sealsService } from '@agent-service/sdk/services/seals'
import { urlService } from '@agent-service/sdk/services/urls'
import { ssoSection } from './configuration/sso-section.js'
import { createIdentityProvider } from './provider/identity-provider.js'
import { callbackPath, createCallbackRoute } from './routes/callback-route.js'
import { createLoginRoute } from './routes/login-route.js'
import { createPendingSignIns } from './sign-in/pending-sign-ins.js'

/** Signing in with OpenID Connect. Whom the provider proves is signed in by the kernel, which keeps the accounts and the rules of linking them. */
export default definePlugin({
  manifest: {
    id: 'feature-sso',
    apiVersion: 1,
    description: 'Signing in with OpenID Connect.',
    contributes: ['http.route'],
    requires: ['kernel.external-sign-in'],
    sections: { sso: ssoSection },
    rules: './rules.js',
    routes: ['/api/auth/sso'],
    permissions: [
      { kind: 'network', targetsFromConfiguration: ['/sso/authority'], reason: 'Asks the identity provider who somebody is.' },
      { kind: 'secrets', reason: 'Signs people in whom the identity provider has proven.' },
    ],
  },
  setup(context) {
    const { enabled, authority, client_id: clientId, ...sso } = context.config.sso
    if (!enabled || authority === undefined || clientId === undefined) return
    if (sso.signups_match_email && sso.allow_unknown_email_verification) {
      context.log.warn(
        'Whoever can make the identity provider name an e-mail address without saying that it is unverified gets the account that has it here. Set sso.allow_unknown_email_verification to false where the provider does not verify addresses.',
      )
    }
    const urls = context.use(urlService)
    const clock = context.use(clockService)
    const callbackUrl = () => urls.api(callbackPath)
    const provider = createIdentityProvider({
      ...{ authority, clientId, clientSecret: sso.client_secret, scopes: sso.scopes },
      ...{ callbackUrl, clock, log: context.log, signal: context.signal },
    })
    // A path in the public address is part of what the browser sees.
    const path = () => new URL('.', callbackUrl()).pathname.replace(/\/$/, '')
    const pendingSignIns = createPendingSignIns({ seals: context.use(sealsService), clock, path })
    const rules = { matchEmail: sso.signups_match_email, acceptUnverifiedEmail: sso.allow_unknown_email_verification }
    context.contribute(httpRoutes, createLoginRoute({ provider, pendingSignIns, urls }))
    context.contribute(
      httpRoutes,
      createCallbackRoute({ provider, pendingSignIns, signIn: context.use(externalSignInService), rules, urls }),
    )
  },
})
