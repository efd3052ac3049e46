import { defineMessages } from '@agent-service/sdk/web'
import { sign_in as de } from '../../texts/de.json'
import { sign_in as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
