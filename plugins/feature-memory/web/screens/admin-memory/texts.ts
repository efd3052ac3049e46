import { defineMessages } from '@agent-service/sdk/web'
import { admin_memory as de } from '../../texts/de.json'
import { admin_memory as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
