import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@agent-service/sdk'
import type {
  ChannelConnection,
  ChannelDelivery,
  ChannelMessage,
  ChannelReceived,
  ChannelSession,
} from '@agent-service/sdk/contracts/channel'
import { eventually } from '@agent-service/sdk/testing'
import { createEmailChannel } from '../channel.js'
import type { EmailLimits } from '../session.js'
import { mailServers } from './shared-servers.js'

/** An account at the real servers with the service's side of a connection. */
export interface Account {
  readonly name: string
  readonly password: string
  readonly address: string
  readonly person: string
  readonly received: readonly ChannelMessage[]
  /** The stored state, which a test may change between sessions. */
  state: JsonObject | undefined
  /** What was logged. */
  readonly log: readonly string[]
  /** Opens a session and begins to receive. */
  open(options?: {
    readonly members?: JsonObject
    readonly origin?: ChannelConnection['origin']
    readonly limits?: Partial<EmailLimits>
  }): Promise<Open>
  /** Writes a mail into the mailbox. Header lines, an empty line, the text. */
  put(mail: string, at?: Date): string
  /** Resolves once so many messages have been received. */
  until(count: number): Promise<void>
  delivery(conversationId: string, text: string, more?: Partial<ChannelDelivery>): ChannelDelivery
  close(): Promise<void>
}

/** An open session. */
export interface Open {
  readonly session: ChannelSession
  /** How it ended: the code of an error. */
  readonly ended: Promise<string>
  close(): Promise<void>
}

const usualLimits: EmailLimits = { answerMs: 20_000, readMs: 20_000, pollMs: 25, pollWithoutIdleMs: 25, sendMs: 20_000 }

/** Makes an account. */
export function makeAccount(): Account {
  const servers = mailServers()
  const unique = randomBytes(6).toString('hex')
  const name = `agent-${unique}`
  const password = `password-of-${unique}`
  servers.addAccount(name, password)
  const received: ChannelMessage[] = []
  const log: string[] = []
  const open = new Set<Open>()
  let deliveries = 0
  const note = (message: string, fields?: object): void => void log.push(`${message} ${JSON.stringify(fields ?? {})}`)
  const account: Account = {
    ...{ name, password, address: `${name}@town.example`, person: `ann-${unique}@people.example`, received, log, state: undefined },
    async open({ members = {}, origin = 'system', limits = {} } = {}) {
      const controller = new AbortController()
      const { signal } = controller
      const channel = createEmailChannel({
        limits: { ...usualLimits, ...limits },
        log: { debug: note, warn: note },
        clock: { now: () => Date.now(), wait: (milliseconds, options) => setTimeout(milliseconds, undefined, options) },
      })
      const session = await channel.connect(
        {
          ...{ id: `connection-${unique}`, origin },
          members: {
            ...{ address: account.address, name: 'The Agent', user: name, password },
            ...{ imap_host: '127.0.0.1', imap_port: servers.ports.imap, imap_security: 'none' },
            ...{ smtp_host: '127.0.0.1', smtp_port: servers.ports.smtp, smtp_security: 'none' },
            ...members,
          },
        },
        {
          async receive(given: ChannelReceived) {
            received.push(...given.messages)
            account.state = given.state === undefined ? account.state : (JSON.parse(JSON.stringify(given.state)) as JsonObject)
          },
          state: async () => account.state,
        },
        { signal },
      )
      const running = session.run?.({ signal }) ?? Promise.resolve()
      const ended = running.then(
        () => 'none',
        (error: unknown) => String((error as { readonly code?: unknown }).code ?? error),
      )
      const opened: Open = {
        ...{ session, ended },
        async close() {
          controller.abort(new Error('the test has ended'))
          await ended
          open.delete(opened)
        },
      }
      open.add(opened)
      return opened
    },
    put: (mail, at = new Date()) => servers.store(name, mail.replace(/\r?\n/g, '\r\n'), at),
    async until(count) {
      await eventually(() => received.length >= count, { what: () => ({ wanted: count, received: received.length, log }) })
    },
    delivery(conversationId, text, more) {
      deliveries += 1
      return { id: `delivery-${deliveries}`, chunk: { index: 0, count: 1 }, conversationId, text, ...more }
    },
    async close() {
      for (const each of open) await each.close()
    },
  }
  return account
}

/** What a piece of work fails with: its code. */
export const codeOf = (work: Promise<unknown> | undefined): Promise<string> =>
  Promise.resolve(work).then(
    () => 'none',
    ({ code }: { readonly code?: string }) => code ?? 'no code',
  )
