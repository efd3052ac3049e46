import { defineMessages } from '@agent-service/sdk/web'
import { sign_in_screen as de } from '../../texts/de.json'
import { sign_in_screen as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
