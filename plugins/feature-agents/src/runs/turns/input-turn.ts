import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database } from '@agent-service/sdk/services/database'
import { toModelMessages } from '../../context/history.js'
import { type Message, messageCollection } from '../../store/chats/message.js'
import type { RunLog } from '../log/run-log.js'
import { advance, type RunSession, readerOf, refreshAccount } from '../session/run-session.js'

/** Takes in a person's messages to the run between two turns: the next model call sees them. */
export interface InputTurn {
  take(session: RunSession): Promise<void>
}

export function createInputTurn(dependencies: {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'get'>
  readonly log: RunLog
}): InputTurn {
  const { database, accounts, log } = dependencies
  const messages = database.collection(messageCollection)

  return {
    async take(session) {
      const ids = session.run.inbox
      const written = (await Promise.all(ids.map((id) => messages.get(id)))).filter((message): message is Message => message !== undefined)
      await refreshAccount(session, accounts)
      await advance(session, log, {
        steps: [{ type: 'input.taken', message_ids: ids }],
        run: (_, stored) => ({ inbox: stored.inbox.filter((id) => !ids.includes(id)) }),
      })
      session.history?.push(...(toModelMessages(written, readerOf(session)) as ModelMessage[]))
    },
  }
}
