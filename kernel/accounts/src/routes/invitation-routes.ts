import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { namedObject, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageQuerySchema,
  pageSchema,
  requireConfirmedAdmin,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { type Invitations, invitationLifetime, maxInvitationUses } from '../admission/invitations.js'
import type { InvitationRecord } from '../records/admission-records.js'
import {
  invitationExpiredError,
  invitationInvalidError,
  invitationRevokedError,
  invitationUsedError,
  tooManyInvitationsError,
} from '../records/errors.js'
import { authBodyLimit, optionalText } from './account-fields.js'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const invitationSchema = namedObject('Invitation', {
  id: Type.String(),
  role: Type.Union([Type.Literal('admin'), Type.Literal('user')]),
  email: nullableText('The only address that the account may have. Null: any. Not kept after the last use.'),
  name: nullableText('Whom it is for. Not kept after the last use.'),
  state: Type.Union([Type.Literal('open'), Type.Literal('used'), Type.Literal('expired'), Type.Literal('revoked')]),
  max_uses: Type.Integer(),
  uses: Type.Integer(),
  made_by: nullableText('The username of the admin who made it. Null: the command line.'),
  created_at: Type.String(),
  expires_at: Type.String(),
})

const newInvitationSchema = namedObject('NewInvitation', {
  ...invitationSchema.properties,
  link: Type.String({
    description: 'Shown this once. The token is behind the “#”, which browsers send to no server.',
    examples: ['https://agents.example.org/register#invitation=…'],
  }),
})

const createSchema = namedObject('CreateInvitation', {
  role: Type.Optional(Type.Union([Type.Literal('admin'), Type.Literal('user')], { description: 'Default: user.' })),
  email: optionalText('Only an account with this address can be made.'),
  name: optionalText('Whom it is for: the name of the account unless the person gives another.'),
  expires_in_hours: Type.Optional(
    Type.Integer({
      minimum: invitationLifetime.min,
      maximum: invitationLifetime.max,
      description: `Default: ${invitationLifetime.default}, a week.`,
    }),
  ),
  max_uses: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInvitationUses, description: 'How many accounts it makes. Default: 1.' })),
})

const foundSchema = namedObject('FoundInvitation', {
  email: nullableText('The address that the account gets. Null: the person chooses.'),
  name: nullableText('The name of the account unless the person gives another.'),
  expires_at: Type.String(),
})

const tags = ['administration']

/** The routes with which admins invite people, and the one that reads an invitation by its token. */
export function createInvitationRoutes(dependencies: {
  readonly invitations: Invitations
  readonly accounts: Pick<UserAccounts, 'get'>
}): readonly HttpRoute[] {
  const { invitations, accounts } = dependencies
  const viewOf = async (record: InvitationRecord) => {
    const { id, role, email, name, max_uses, uses, created_at, expires_at } = record
    const maker = record.user_id === null ? undefined : await accounts.get(record.user_id)
    const state = invitations.stateOf(record)
    return { id, role, email, name, state, max_uses, uses, made_by: maker?.username ?? null, created_at, expires_at }
  }
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/invitation',
      operationId: 'findInvitation',
      summary: 'What an invitation says',
      description:
        'For the page that accepts it. The token is in the body, so that it gets into no log. `POST /api/auth/register` uses it.',
      tags: ['accounts'],
      auth: 'public',
      body: { kind: 'json', schema: Type.Object({ invitation: Type.String({ minLength: 1, maxLength: 200 }) }), limit: authBodyLimit },
      errors: [invitationInvalidError, invitationExpiredError, invitationRevokedError, invitationUsedError],
      answers: { 200: { description: 'It can be used.', schema: foundSchema } },
      async handle({ body }) {
        const { email, name, expires_at } = await invitations.find(body.invitation)
        return ok({ email, name, expires_at })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/invitations',
      operationId: 'listInvitations',
      summary: 'All invitations, the last to expire first',
      description: 'Ended ones stay for thirty days.',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(invitationSchema) } },
      async handle({ query }) {
        const page = await invitations.list(query)
        return ok({ items: await Promise.all(page.items.map(viewOf)), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/invitations',
      operationId: 'createInvitation',
      summary: 'Invite a person by a link',
      description:
        'The link makes an account although registration is closed, until it expires, is used or is revoked, or its maker is no longer an admin. An invitation for an admin needs a confirmed session (`confirmation_required`).',
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: createSchema, limit: authBodyLimit },
      errors: [tooManyInvitationsError, sessionRequiredError, confirmationRequiredError],
      answers: { 201: { description: 'The invitation, and its link.', schema: newInvitationSchema } },
      async handle(request) {
        const { expires_in_hours: expiresInHours, max_uses: maxUses, ...members } = request.body
        if (members.role === 'admin') requireConfirmedAdmin(request.principal)
        const input = {
          ...members,
          ...(expiresInHours === undefined ? {} : { expiresInHours }),
          ...(maxUses === undefined ? {} : { maxUses }),
        }
        const { record, link } = await invitations.create(input, actorOfRequest(request))
        return created({ ...(await viewOf(record)), link })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/invitations/{invitation_id}',
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'Its link no longer works. Accounts that were made with it stay.',
      tags,
      auth: 'admin',
      params: Type.Object({ invitation_id: Type.String() }),
      answers: { 204: { description: 'It is revoked.' } },
      async handle(request) {
        await invitations.revoke(request.params.invitation_id, actorOfRequest(request))
        return noContent()
      },
    }),
  ]
}
