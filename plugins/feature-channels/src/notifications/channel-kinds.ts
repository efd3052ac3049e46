import type { NotificationKind } from '@agent-service/sdk/services/notifications'

/** What people are told about channels. */
export const channelKindsOfNotifications: readonly NotificationKind[] = [
  {
    id: 'channel.pairing',
    title: { en: 'A person wants to write to your agent', de: 'Jemand möchte deinem Agenten schreiben' },
    description: {
      en: 'An unknown person wrote over one of your channels, and waits until you let them in.',
      de: 'Eine unbekannte Person hat über einen deiner Kanäle geschrieben und wartet auf deine Freigabe.',
    },
    ...{ app: true, mail: false, audience: 'everyone' },
  },
  {
    id: 'channel.failed',
    title: { en: 'A channel is no longer connected', de: 'Ein Kanal ist nicht mehr verbunden' },
    description: {
      en: 'A connection to a channel has failed for good, and needs new credentials or another attempt.',
      de: 'Eine Verbindung zu einem Kanal ist endgültig gescheitert und braucht neue Zugangsdaten oder einen neuen Versuch.',
    },
    ...{ app: true, mail: true, audience: 'everyone' },
  },
]
