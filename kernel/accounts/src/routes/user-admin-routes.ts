import type { AuditActor } from '@agent-service/kernel-core/audit'
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
  type RouteRequest,
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
import { accountFields, authBodyLimit } from './account-fields.js'

const administeredUserSchema = namedObject('AdministeredUser', { ...userProfileSchema.properties, disabled: Type.Boolean() })
const roleSchema = Type.Union([Type.Literal('admin'), Type.Literal('user')])
const idSchema = Type.Object({ user_id: Type.String() })
const answer = (description: string) => ({ description, schema: administeredUserSchema })

const changeSchema = namedObject('ChangeUser', {
  role: Type.Optional(roleSchema),
  disabled: Type.Optional(Type.Boolean({ description: 'If true, every session, token and stream of the account ends at once.' })),
  password: Type.Optional(Type.String({ description: 'A new password. Every session of the account ends.' })),
})

/**
 * Changes that could give an account to another person. Disabling and enabling do not, and tokens
 * may do that.
 */
const needsConfirmation = ({ role, password }: Static<typeof changeSchema>): boolean => role !== undefined || password !== undefined

const shown = (user: UserRecord) => ({ ...profileOf(user), disabled: user.disabled })
const actorOf = ({ principal, address }: RouteRequest<unknown, unknown, unknown>): AuditActor => ({
  userId: principal?.userId ?? null,
  address,
})

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
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(administeredUserSchema) } },
      async handle({ query }) {
        const page = await accounts.list(query)
        return ok({ items: page.items.map(shown), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users',
      operationId: 'createUser',
      summary: 'Create an account for another person',
      description: 'An admin’s account needs a confirmed session (`confirmation_required`).',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object({ ...accountFields, role: Type.Optional(roleSchema) }), limit: authBodyLimit },
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
        if (request.body.role === 'admin') requireConfirmedAdmin(request.principal)
        const { user } = await accounts.create(request.body, { trusted: true, mayBeFirst: true }, (transaction, { id, username, role }) =>
          audit.record(transaction, { kind: 'account.created', actor: actorOf(request), subjectId: id, after: { username, role } }),
        )
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
      summary: 'Change role, access or password of an account',
      description:
        'Omitted fields stay. The last admin who can sign in cannot be demoted or disabled (`last_admin`). A role and a password need a confirmed session (`confirmation_required`); `disabled` does not.',
      tags: ['administration'],
      auth: 'admin',
      params: idSchema,
      body: { kind: 'json', schema: changeSchema, limit: authBodyLimit },
      errors: [
        passwordTooCommonError,
        passwordContainsNameError,
        lastAdminError,
        signInBusyError,
        sessionRequiredError,
        confirmationRequiredError,
      ],
      answers: { 200: answer('The account.') },
      async handle(request) {
        if (needsConfirmation(request.body)) requireConfirmedAdmin(request.principal)
        return ok(shown(await administration.change(request.params.user_id, request.body, actorOf(request))))
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
        await administration.delete(request.params.user_id, actorOf(request))
        return noContent()
      },
    }),
  ]
}
