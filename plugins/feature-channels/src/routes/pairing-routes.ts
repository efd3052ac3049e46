import { Type } from '@agent-service/sdk'
import type { MissLimit } from '@agent-service/sdk/addresses'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { callerOf } from '../common/caller.js'
import { pairingCodeError, tooManyTriesError } from '../common/errors.js'
import type { OwnPairings } from '../senders/own-pairings.js'
import { tags } from './connection-routes.js'
import { claimedSchema, claimSchema, ownPairingSchema, viewOfPairing } from './schemas.js'

export interface PairingRoutesDependencies {
  readonly pairings: OwnPairings
  readonly misses: MissLimit
}

/** How people pair themselves with connections that administrators share. */
export const createPairingRoutes = ({ pairings, misses }: PairingRoutesDependencies): readonly HttpRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/api/channels/pairings/claim',
    operationId: 'claimChannelPairing',
    summary: 'Enter the code that a shared channel has shown you',
    description:
      'The first request, without `sender_id`, changes nothing: it answers whose code it is and what they have written. Only if that is you, repeat it with this `sender_id`: from then on what you write there goes to your own agent, with what you have written. Enter no code that someone else gave you: their messages would be yours. At most 60 wrong codes at once, then one a second.',
    tags,
    auth: 'user',
    body: { kind: 'json', schema: claimSchema },
    errors: [pairingCodeError, tooManyTriesError],
    answers: { 200: { description: 'Who it is, as the channel knows them, and whether they are you now.', schema: claimedSchema } },
    async handle({ body, address, ...request }) {
      misses.check(address)
      try {
        const claim = await pairings.claim(callerOf(request).userId, body.code, body.sender_id)
        return ok({ claimed: claim.claimed, ...viewOfPairing(claim), messages: claim.messages.map((message) => ({ ...message })) })
      } catch (error) {
        if (pairingCodeError.isInstance(error)) misses.count(address)
        throw error
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/channels/pairings',
    operationId: 'listOwnChannelPairings',
    summary: 'List who you are in shared channels',
    tags,
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'One page.', schema: pageSchema(ownPairingSchema) } },
    async handle({ query, ...request }) {
      const all = await pairings.list(callerOf(request).userId)
      const { items, next_cursor } = pageOfList(all, ({ sender }) => sender.id, query)
      return ok({ items: items.map(viewOfPairing), next_cursor })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/channels/pairings/{pairing_id}',
    operationId: 'endOwnChannelPairing',
    summary: 'Stop being someone in a shared channel',
    description: 'What this person writes there does not reach your agent any more. The chats stay.',
    tags,
    auth: 'user',
    params: Type.Object({ pairing_id: Type.String({ minLength: 1, maxLength: 100, description: 'The `id` of the person.' }) }),
    errors: [notFoundError],
    answers: { 204: { description: 'Ended.' } },
    async handle({ params: { pairing_id: id }, ...request }) {
      await pairings.end(callerOf(request).userId, id)
      return noContent()
    },
  }),
]
