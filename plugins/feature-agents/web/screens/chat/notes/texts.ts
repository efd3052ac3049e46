import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    keep_chat: 'Keep this chat',
    kept: 'The chat is kept',
    temporary: 'Temporary chat: in no list, not remembered, deleted on {time} if nothing more happens here.',
    unconfined: 'The sandbox is switched off: code of this agent reaches every file of the service.',
    unconfined_more: 'Confinement',
  },
  de: {
    keep_chat: 'Diesen Chat behalten',
    kept: 'Der Chat bleibt',
    temporary: 'Temporärer Chat: in keiner Liste, nichts wird behalten, gelöscht am {time}, wenn hier nichts mehr geschieht.',
    unconfined: 'Die Sandbox ist ausgeschaltet: Code dieses Agenten erreicht jede Datei des Dienstes.',
    unconfined_more: 'Abschottung',
  },
})
