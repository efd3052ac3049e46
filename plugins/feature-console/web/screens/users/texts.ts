import { defineMessages } from '@agent-service/sdk/web'
import { users as de } from '../../texts/de.json'
import { users as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
