import { defineMessages } from '@agent-service/sdk/web'
import { notes as de } from '../../../texts/de.json'
import { notes as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
