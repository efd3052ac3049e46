import { setTimeout } from 'node:timers/promises'
import type { ChannelHost, ChannelSession } from '@agent-service/sdk/contracts/channel'
import { createEmailChannel } from '../channel.js'

/** A host that stores nothing. */
export const createPlainHost = (): ChannelHost => ({ receive: async () => undefined, state: async () => undefined })

/** Connects to an IMAP server at this port, with the password `password-of-the-test`. */
export const connectTo = (port: number, host: ChannelHost): Promise<ChannelSession> =>
  createEmailChannel({
    log: { debug: () => undefined, warn: () => undefined },
    clock: { now: () => Date.now(), wait: (milliseconds, options) => setTimeout(milliseconds, undefined, options) },
  }).connect(
    {
      ...{ id: 'one', origin: 'system' },
      members: {
        ...{ address: 'agent@town.example', password: 'password-of-the-test' },
        ...{
          imap_host: '127.0.0.1',
          imap_port: port,
          imap_security: 'none',
          smtp_host: '127.0.0.1',
          smtp_port: port,
          smtp_security: 'none',
        },
      },
    },
    host,
    { signal: new AbortController().signal },
  )
