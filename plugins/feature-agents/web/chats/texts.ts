import { defineMessages } from '@agent-service/sdk/web'
import { chats as de } from '../texts/de.json'
import { chats as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
