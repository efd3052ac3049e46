import { namedObject, Type } from '@agent-service/sdk'
import type { Conversation } from '../store/conversation.js'
import { oneOf } from './schemas.js'

const nullableText = (description: string) => Type.Union([Type.String({ description }), Type.Null()])

export const conversationSchema = namedObject('ChannelConversation', {
  id: Type.String(),
  conversation_id: Type.String({ description: 'The vendor’s.' }),
  kind: oneOf(['direct', 'group']),
  title: nullableText('As the vendor has it: chosen by others, proves nothing.'),
  chat_id: nullableText('The chat that it is. Null: the next message begins a new one.'),
  questions: Type.Integer({ minimum: 0, description: 'What agents ask there, and no one has answered.' }),
  created_at: Type.String(),
  changed_at: Type.String(),
})

export const viewOfConversation = (conversation: Conversation) => ({
  ...{ id: conversation.id, conversation_id: conversation.conversation_id, kind: conversation.kind, title: conversation.title },
  ...{ chat_id: conversation.chat_id, questions: conversation.questions.length },
  ...{ created_at: conversation.created_at, changed_at: conversation.changed_at },
})
