import { defineMessages } from '@agent-service/sdk/web'

/** Apart from the other texts, because menus of other screens have it from the start. */
export const t = defineMessages({
  en: { share: 'Share by link', share_named: 'Share {name} by link' },
  de: { share: 'Per Link teilen', share_named: '{name} per Link teilen' },
})
