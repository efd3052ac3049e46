import { namedObject, type Static, Type } from '@agent-service/sdk'
import type { SignIn } from '@agent-service/sdk/services/credentials'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'

/** A sign-in in responses to the administrator who began it. */
export const signInSchema = namedObject('AccountSignIn', {
  sign_in_id: Type.String(),
  kind: Type.Union([Type.Literal('device'), Type.Literal('browser')]),
  brand: Type.String(),
  state: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('failed'), Type.Literal('cancelled')]),
  reason: Type.Optional(
    Type.Union([Type.Literal('denied'), Type.Literal('expired'), Type.Literal('refused'), Type.Literal('unavailable')], {
      description: 'Why it failed: the person declined or took too long, or the vendor refused or could not be reached.',
    }),
  ),
  message: Type.Optional(Type.String({ description: 'Explains `reason`, for people.' })),
  user_code: Type.Optional(Type.String({ description: 'Enter it at `verification_url`.' })),
  verification_url: Type.Optional(Type.String()),
  authorization_url: Type.Optional(Type.String({ description: 'Open it in a browser.' })),
  returns_here: Type.Optional(
    Type.Boolean({
      description:
        'False: the vendor redirects the browser to an address on its own machine. Copy that address from the browser and post it to `…/redirect`.',
    }),
  ),
  expires_at: Type.String(),
  credential_id: Type.Optional(Type.String({ description: 'Present once it is completed; from the start if an account signs in again.' })),
})

export type SignInView = Static<typeof signInSchema>

/** The brand is stored with a sign-in and with the account that it creates. */
export const brandOfSignIn = ({ details }: SignIn): string => String(details['brand'])

/** Converts a sign-in of the service. */
export function signInViewOf(signIn: SignIn, settings: SignInSettings | undefined): SignInView {
  const { id, flow, state, reason, userCode, verificationUrl, authorizationUrl, expiresAt, credentialId } = signIn
  return {
    ...{ sign_in_id: id, kind: flow === 'device' ? 'device' : 'browser', brand: brandOfSignIn(signIn), state },
    ...(reason && { reason, message: messageOf(reason, signIn.detail) }),
    ...(userCode !== undefined && { user_code: userCode }),
    ...(verificationUrl !== undefined && { verification_url: verificationUrl }),
    ...(authorizationUrl !== undefined && {
      authorization_url: authorizationUrl,
      returns_here: settings?.kind !== 'browser' || settings.redirect_url === undefined,
    }),
    expires_at: new Date(expiresAt).toISOString(),
    ...(credentialId !== undefined && { credential_id: credentialId }),
  }
}

const failureMessages: Readonly<Record<NonNullable<SignIn['reason']>, string>> = {
  denied: 'The sign-in was declined at the vendor.',
  expired: 'The sign-in was not completed in time. Begin it again.',
  refused: 'The vendor refused the sign-in',
  unavailable: 'The vendor could not be reached',
}

function messageOf(reason: NonNullable<SignIn['reason']>, detail: string | undefined): string {
  const words = failureMessages[reason]
  return reason === 'refused' || reason === 'unavailable' ? `${words}${detail === undefined ? '' : `: ${detail}`}. Begin again.` : words
}
