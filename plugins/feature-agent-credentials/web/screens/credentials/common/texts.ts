import { defineMessages } from '@agent-service/sdk/web'
import { credentials_screen as de } from '../../../texts/de.json'
import { credentials_screen as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
