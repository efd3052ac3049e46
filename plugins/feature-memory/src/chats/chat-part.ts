import { Type, validate } from '@agent-service/sdk'
import { type ChatPart, defineChatPart } from '@agent-service/sdk/contracts/chat-part'
import type { ChatChoices } from './chat-choice.js'
import type { ChooseForChat } from './choose-for-chat.js'

const excludedSchema = Type.Object({ remember: Type.Literal(false) })
const againSchema = Type.Object({ remember: Type.Literal(true), was_excluded: Type.Literal(true) })

/** Whether a chat is remembered, exported and deleted with it. */
export const createMemoryPart = ({
  choices,
  choose,
}: {
  readonly choices: Pick<ChatChoices, 'isRemembered' | 'isRememberedAgain' | 'remove'>
  readonly choose: ChooseForChat
}): ChatPart =>
  defineChatPart({
    id: 'memory',
    title: 'Memory',
    async export({ userId, chatId }) {
      if (!(await choices.isRemembered(userId, chatId))) return { remember: false }
      return (await choices.isRememberedAgain(userId, chatId)) ? { remember: true, was_excluded: true } : undefined
    },
    async import({ userId, chatId }, data) {
      const isAgain = validate(againSchema, data).length === 0
      if (isAgain || validate(excludedSchema, data).length === 0) await choose({ userId, chatId, remember: false })
      // So nothing that the imported chat says so far is learnt.
      if (isAgain) await choose({ userId, chatId, remember: true })
    },
    erase: ({ userId, chatId }) => choices.remove(userId, chatId),
  })
