import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { documentsOf } from '@agent-service/sdk/services/database'
import { pairingCodeError } from '../common/errors.js'
import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { settled } from '../store/inbox.js'
import { type Sender, senderCollection } from '../store/sender.js'
import { forgetSender, heldBy, letIn } from './let-in.js'

/** A person at the vendor of a shared connection, and what they are there. */
export interface OwnPairing {
  readonly sender: Sender
  readonly connection: Connection
}

/** Who asks with a code, as the person who enters it is shown it first. */
export interface Claim extends OwnPairing {
  readonly claimed: boolean
  /** What they have written: it goes to the agent of the user who claims them. */
  readonly messages: readonly { readonly text: string; readonly at: string }[]
}

/** How users pair themselves with the connections that administrators share, and end that. */
export interface OwnPairings {
  /**
   * Shows who was shown a code. With the id that this person has at the vendor they are the user from
   * now on. @throws `pairing_code_invalid`.
   */
  claim(userId: string, code: string, senderId?: string): Promise<Claim>
  list(userId: string): Promise<readonly OwnPairing[]>
  /** @throws `not_found`. */
  end(userId: string, id: string): Promise<Sender>
}

export function createOwnPairings(parts: ChannelParts, refresh: (connectionId: string) => Promise<void>): OwnPairings {
  const { database, clock } = parts
  const connectionOf = async (sender: Sender): Promise<Connection | undefined> => {
    const connection = await database.collection(connectionCollection).get(sender.connection_id)
    return connection?.user_id === null ? connection : undefined
  }
  return {
    async claim(userId, given, senderId) {
      const code = given.trim().toUpperCase()
      const isValid = (sender: Sender): boolean =>
        sender.code === code &&
        sender.state === 'pending' &&
        sender.code_expires_at !== null &&
        Date.parse(sender.code_expires_at) > clock.now()
      const sender = await database.collection(senderCollection).find('by_code', [code])
      // A code of a person's own connection is for its owner alone, who approves it.
      const connection = sender && isValid(sender) ? await connectionOf(sender) : undefined
      if (!sender || !connection || (senderId !== undefined && sender.sender_id !== senderId)) throw pairingCodeError.create({})
      const messages = (await heldBy(parts, sender.id)).map(({ text, received_at: at }) => ({ text, at }))
      if (senderId === undefined) return { sender, connection, messages, claimed: false }
      try {
        const check = (stored: Sender): void => {
          if (!isValid(stored)) throw pairingCodeError.create({})
        }
        const paired = await letIn(parts, connection, sender.id, { role: 'owner', userId, check })
        await refresh(connection.id)
        return { sender: paired, connection, messages, claimed: true }
      } catch (error) {
        // The connection or the request was deleted meanwhile.
        throw notFoundError.isInstance(error) ? pairingCodeError.create({}) : error
      }
    },
    async list(userId) {
      const all: OwnPairing[] = []
      for await (const sender of documentsOf(database, senderCollection, { index: 'by_user', equals: [userId] })) {
        const connection = await connectionOf(sender)
        if (connection) all.push({ sender, connection })
      }
      return all
    },
    async end(userId, id) {
      const sender = await database.collection(senderCollection).get(id)
      const connection = sender?.user_id === userId ? await connectionOf(sender) : undefined
      if (!connection) throw notFoundError.create({ what: 'pairing' })
      const isOwn = (stored: Sender): boolean => stored.user_id === userId
      return forgetSender(parts, id, isOwn, (message) => settled(message, 'not_allowed', textOf(clock.now())))
    },
  }
}
