import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Credentials, SignIn, SignInRedirect } from '@agent-service/sdk/services/credentials'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import { clientOfBrand } from '../credentials/client-of-brand.js'
import { credentialPurpose } from '../credentials/managed-credential.js'
import { newDetails } from '../credentials/managed-credentials.js'
import { brandOfSignIn, type SignInView, signInViewOf } from '../credentials/sign-in-view.js'

/** The user who signs in, and the account. */
export interface AccountSignInRequest {
  readonly brand: string
  readonly settings: SignInSettings
  readonly label: string
  /** The account that signs in again; without it a new credential is created. */
  readonly credentialId?: string
  readonly userId: string
}

/**
 * The sign-ins with accounts at brands. Only the administrator who began one sees and completes it.
 */
export interface AccountSignIns {
  /** @throws `sign_in_unavailable`, `sign_ins_too_many`. */
  begin(request: AccountSignInRequest, options: { readonly signal: AbortSignal }): Promise<SignInView>
  /** @throws `not_found`. */
  get(id: string, userId: string): SignInView
  /** Has no effect on a sign-in that has ended. @throws `not_found`. */
  cancel(id: string, userId: string): SignInView
  /**
   * Completes a sign-in, once, by the state of the redirect; with `id` only that sign-in. @throws
   * `sign_in_state_invalid`.
   */
  complete(redirect: SignInRedirect, by: { readonly userId: string; readonly id?: string }): Promise<SignInView>
}

export function createAccountSignIns(dependencies: {
  readonly credentials: Credentials
  readonly signInOf: (brand: string) => SignInSettings | undefined
  readonly callbackUrl: () => string
}): AccountSignIns {
  const { credentials, signInOf, callbackUrl } = dependencies
  const present = (signIn: SignIn): SignInView => signInViewOf(signIn, signInOf(brandOfSignIn(signIn)))
  const presentOwn = (signIn: SignIn | undefined): SignInView => {
    if (!signIn) throw notFoundError.create({ what: 'sign-in' })
    return present(signIn)
  }
  return {
    async begin({ brand, settings, label, credentialId: again, userId }, { signal }) {
      const begun = await credentials.beginSignIn(
        {
          ...{ owner: 'deployment', purpose: credentialPurpose, label, details: newDetails(brand), userId },
          client: clientOfBrand(settings),
          ...(settings.kind === 'device' ? { flow: 'device' } : { flow: 'code', redirectUrl: settings.redirect_url ?? callbackUrl() }),
          ...(again !== undefined && { again }),
        },
        { signal },
      )
      return present(begun)
    },
    get: (id, userId) => presentOwn(credentials.getSignIn(id, userId)),
    cancel: (id, userId) => presentOwn(credentials.cancelSignIn(id, userId)),
    complete: async (redirect, by) => present(await credentials.completeSignIn(redirect, by)),
  }
}
