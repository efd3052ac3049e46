import { defineMessages } from '@agent-service/sdk/web'
import { chats_screen as de } from '../../texts/de.json'
import { chats_screen as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
