import { defineMessages } from '@agent-service/sdk/web'
import { tasks as de } from '../../../texts/de.json'
import { tasks as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
