import { defineMessages } from '@agent-service/sdk/web'
import { admin_vaults as de } from '../../texts/de.json'
import { admin_vaults as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
