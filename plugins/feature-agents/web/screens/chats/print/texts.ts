import { defineMessages } from '@agent-service/sdk/web'
import { print as de } from '../../../texts/de.json'
import { print as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
