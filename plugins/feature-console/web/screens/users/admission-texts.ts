import { defineMessages } from '@agent-service/sdk/web'
import { users_admission as de } from '../../texts/de.json'
import { users_admission as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
