import { type Static, Type } from '@agent-service/sdk'

/** A sign-in as it is shown to who began it. */
export const signInSchema = Type.Object({
  sign_in_id: Type.String(),
  kind: Type.Union([Type.Literal('device'), Type.Literal('browser')]),
  brand: Type.String(),
  state: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('failed'), Type.Literal('cancelled')]),
  reason: Type.Optional(
    Type.Union([Type.Literal('denied'), Type.Literal('expired'), Type.Literal('refused'), Type.Literal('unavailable')], {
      description: 'Why it failed: the person said no, took too long, or the vendor refused or could not be asked.',
    }),
  ),
  message: Type.Optional(Type.String({ description: 'What that means, for people.' })),
  user_code: Type.Optional(Type.String({ description: 'To be entered at `verification_url`.' })),
  verification_url: Type.Optional(Type.String()),
  authorization_url: Type.Optional(Type.String({ description: 'To be opened in a browser.' })),
  returns_here: Type.Optional(
    Type.Boolean({
      description:
        'False: the vendor sends the browser to an address on its own machine. Copy that address from the browser and post it to `…/redirect`.',
    }),
  ),
  expires_at: Type.String(),
  credential_id: Type.Optional(Type.String({ description: 'Once it is completed; from the start where an account signs in again.' })),
})

export type SignInView = Static<typeof signInSchema>
export type SignInFailure = NonNullable<SignInView['reason']>

/** What a failure means. */
export const failureMessages: Readonly<Record<SignInFailure, string>> = {
  denied: 'The sign-in was declined at the vendor.',
  expired: 'The sign-in was not completed in time. Begin it again.',
  refused: 'The vendor refused the sign-in',
  unavailable: 'The vendor could not be asked',
}
