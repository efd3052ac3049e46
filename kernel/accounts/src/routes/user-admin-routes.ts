import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { namedObject, type Static, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  requireConfirmedAdmin,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { AccountAdministration } from '../accounts/account-administration.js'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { profileOf, userProfileSchema } from '../accounts/user-profile.js'
import type { AuditLog } from '../audit/index.js'
import {
  emailTakenError,
  lastAdminError,
  passwordContainsNameError,
  passwordTooCommonError,
  signInBusyError,
  usernameTakenError,
} from '../records/errors.js'
import type { UserRecord } from '../records/records.js'
import { accountFields, authBodyLimit, profileFields } from './account-fields.js'

const administeredUserSchema = namedObject('AdministeredUser', {
  ...userProfileSchema.properties,
  disabled: Type.Boolean(),
  has_password: Type.Boolean({ description: 'Whether the account can sign in with a password, rather than by single sign-on alone.' }),
})
const roleSchema = Type.Union([Type.Literal('admin'), Type.Literal('user')])
const idSchema = Type.Object({ user_id: Type.String() })
const answer = (description: string) => ({ description, schema: administeredUserSchema })

const changeSchema = namedObject('ChangeUser', {
  role: Type.Optional(roleSchema),
  disabled: Type.Optional(Type.Boolean({ description: 'If true, every session, token and stream of the account ends at once.' })),
  password: Type.Optional(Type.String({ description: 'A new password. Every session of the account ends.' })),
  ...profileFields,
  email_verified: Type.Optional(
    Type.Boolean({ description: 'True: you vouch that `email`, beside it, is the person’s. False: it has to be confirmed again.' }),
  ),
})

const listSchema = Type.Object({
  ...pageQuerySchema.properties,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'A part of the username, the name or the e-mail address, in any case.' }),
  ),
  role: Type.Optional(roleSchema),
  state: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('disabled')])),
})

/**
 * Changes that could give an account to another person: whoever proves an e-mail address at the
 * identity provider may get its account. Disabling and enabling do not, and tokens may do that.
 */
const needsConfirmation = ({ role, password, email, email_verified: verified }: Static<typeof changeSchema>): boolean =>
  role !== undefined || password !== undefined || email !== undefined || verified !== undefined

const createSchema = Type.Object({
  ...accountFields,
  role: Type.Optional(roleSchema),
  email_verified: Type.Optional(Type.Boolean({ description: 'You vouch that `email` is the person’s. Default: it has to be confirmed.' })),
})

const shown = (user: UserRecord) => ({ ...profileOf(user), disabled: user.disabled, has_password: user.password_hash !== null })

/** The routes with which admins manage accounts. */
export function createUserAdminRoutes(dependencies: {
  readonly accounts: UserAccounts
  readonly administration: AccountAdministration
  readonly audit: AuditLog
}): readonly HttpRoute[] {
  const { accounts, administration, audit } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/users',
      operationId: 'listUsers',
      summary: 'All accounts, by username',
      tags: ['administration'],
      auth: 'admin',
      description: 'With a filter a page may have fewer accounts than its limit, or none, while `next_cursor` leads to more.',
      query: listSchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(administeredUserSchema) } },
      async handle({ query: { state, ...query } }) {
        const page = await accounts.list({ ...query, ...(state === undefined ? {} : { disabled: state === 'disabled' }) })
        return ok({ items: page.items.map(shown), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users',
      operationId: 'createUser',
      summary: 'Create an account for another person',
      description: 'An admin’s account, and vouching for an e-mail address, need a confirmed session (`confirmation_required`).',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: createSchema, limit: authBodyLimit },
      errors: [
        usernameTakenError,
        emailTakenError,
        passwordTooCommonError,
        passwordContainsNameError,
        signInBusyError,
        sessionRequiredError,
        confirmationRequiredError,
      ],
      answers: { 201: answer('The account.') },
      async handle(request) {
        const { email_verified: vouchesForEmail = false, ...input } = request.body
        if (input.role === 'admin' || vouchesForEmail) requireConfirmedAdmin(request.principal)
        const grant = { trusted: true, mayBeFirst: true, vouchesForEmail }
        const { user } = await accounts.create(input, grant, (transaction, { id, username, role, email_verified_at: verifiedAt }) => {
          const after = { username, role, ...(verifiedAt === null ? {} : { email_verified_at: verifiedAt }) }
          audit.record(transaction, { kind: 'account.created', actor: actorOfRequest(request), subjectId: id, after })
        })
        return created(shown(user))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/users/{user_id}',
      operationId: 'getUser',
      summary: 'One account',
      tags: ['administration'],
      auth: 'admin',
      params: idSchema,
      answers: { 200: answer('The account.') },
      async handle({ params }) {
        const user = await accounts.get(params.user_id)
        if (!user) throw notFoundError.create({ what: 'user' })
        return ok(shown(user))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/admin/users/{user_id}',
      operationId: 'changeUser',
      summary: 'Change role, access, password or profile of an account',
      description:
        'Omitted fields stay; null clears. The last admin who can sign in cannot be demoted or disabled (`last_admin`). A role, a password, an e-mail address and `email_verified` need a confirmed session (`confirmation_required`); the other fields do not. Another address is unconfirmed unless you vouch for it.',
      tags: ['administration'],
      auth: 'admin',
      params: idSchema,
      body: { kind: 'json', schema: changeSchema, limit: authBodyLimit },
      errors: [
        passwordTooCommonError,
        passwordContainsNameError,
        emailTakenError,
        lastAdminError,
        signInBusyError,
        sessionRequiredError,
        confirmationRequiredError,
      ],
      answers: { 200: answer('The account.') },
      async handle(request) {
        if (needsConfirmation(request.body)) requireConfirmedAdmin(request.principal)
        const { email_verified: emailVerified, ...change } = request.body
        const asked = { ...change, ...(emailVerified === undefined ? {} : { emailVerified }) }
        return ok(shown(await administration.change(request.params.user_id, asked, actorOfRequest(request))))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/{user_id}',
      operationId: 'deleteUser',
      summary: 'Delete an account and all of its data',
      description: 'The account is deleted at once; its data is erased in the background. Its handle is never used again.',
      tags: ['administration'],
      auth: 'admin',
      params: idSchema,
      errors: [lastAdminError],
      answers: { 204: { description: 'The account was deleted.' } },
      async handle(request) {
        await administration.delete(request.params.user_id, actorOfRequest(request))
        return noContent()
      },
    }),
  ]
}
