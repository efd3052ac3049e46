import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    by_user: 'By user',
    csv_days: 'Days as CSV',
    csv_users: 'Users as CSV',
    empty: 'No usage in this period',
    empty_text: 'Once people talk to agents, you see here what all users used and what that cost.',
    export: 'Export',
    lead: 'Calls of models by all users, by days in UTC.',
    title: 'Usage of all',
    user: 'User',
  },
  de: {
    by_user: 'Nach Benutzern',
    csv_days: 'Tage als CSV',
    csv_users: 'Benutzer als CSV',
    empty: 'Kein Verbrauch in dieser Zeit',
    empty_text: 'Sobald jemand mit einem Agenten spricht, siehst du hier, was alle verbraucht haben und was das kostet.',
    export: 'Exportieren',
    lead: 'Aufrufe von Modellen durch alle Benutzer, nach Tagen in UTC.',
    title: 'Verbrauch aller',
    user: 'Benutzer',
  },
})
