import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, ok, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import {
  type EmailConfirmation,
  emailCodeInvalidError,
  emailConfirmedError,
  emailMissingError,
} from '@agent-service/sdk/services/email-confirmation'
import { mailUnavailableError } from '../common/errors.js'
import type { AddressLetters } from '../outbox/address-letters.js'

const tags = ['accounts']

/**
 * The confirmation of the caller's own address. Both take a session: a click in the e-mail alone
 * confirms nothing, since its reader may not be the person of the account.
 */
export function createConfirmationRoutes(dependencies: {
  readonly letters: Pick<AddressLetters, 'sendCode'>
  readonly confirmation: Pick<EmailConfirmation, 'confirm'>
}): readonly HttpRoute[] {
  const { letters, confirmation } = dependencies
  const callerOf = ({ principal }: Pick<RouteRequest, 'principal'>): string => {
    if (!principal) throw new Error('A route for people was called without a principal.')
    return principal.userId
  }
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/email/code',
      operationId: 'sendEmailCode',
      summary: 'Send a code to the e-mail address of the account',
      description:
        'It is valid for 30 minutes and ends earlier ones. At most 3 an hour and 5 a day for an account, and 3 a day for an address over all accounts (`rate_limited`). Only for sessions.',
      tags,
      auth: 'user',
      session: true,
      errors: [mailUnavailableError, emailMissingError, emailConfirmedError],
      answers: {
        200: {
          description: 'It will be sent.',
          schema: namedObject('EmailCodeSent', { to: Type.String({ examples: ['ada@example.org'] }) }),
        },
      },
      async handle(request) {
        return ok({ to: await letters.sendCode(callerOf(request), { address: request.address }) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/email/confirm',
      operationId: 'confirmEmail',
      summary: 'Confirm the e-mail address of the account with the code',
      description:
        'Five wrong codes end it. In any case, with or without the hyphen. Only for sessions of the account that it was sent for.',
      tags,
      auth: 'user',
      session: true,
      body: {
        kind: 'json',
        schema: namedObject('ConfirmEmail', { code: Type.String({ minLength: 1, maxLength: 100, examples: ['K7WM-3XPD'] }) }),
      },
      errors: [emailCodeInvalidError, emailMissingError, emailConfirmedError],
      answers: { 204: { description: 'The address is confirmed.' } },
      async handle(request) {
        await confirmation.confirm(callerOf(request), request.body.code, { address: request.address })
        return noContent()
      },
    }),
  ]
}
