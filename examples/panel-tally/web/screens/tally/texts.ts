import { createReasonText, defineMessages } from '@agent-service/sdk/web'
import { tally as de } from '../../texts/de.json'
import { tally as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })

/** What the plugin's own service says of a field, in the language of the page. The kit knows the words of the schemas. */
export const fieldText = createReasonText([['is the name of another counter', 'ist schon der Name eines anderen Zählers']])
