import { defineMessages } from '@agent-service/sdk/web'
import { set_up as de } from '../../texts/de.json'
import { set_up as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
