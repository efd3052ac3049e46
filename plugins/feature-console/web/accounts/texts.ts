import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    device_zone: '{zone} (this device)',
    no_timezone: 'As the service',
    unknown_device: 'Unknown device',
  },
  de: {
    device_zone: '{zone} (dieses Gerät)',
    no_timezone: 'Wie der Dienst',
    unknown_device: 'Unbekanntes Gerät',
  },
})
