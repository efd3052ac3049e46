import { defineError } from '@agent-service/sdk'

export const notificationInvalidError = defineError<{ readonly member: string; readonly expected: string }>({
  code: 'notification_invalid',
  status: 500,
  title: 'Invalid notification',
  message: ({ member, expected }) => `The member “${member}” of the notification must be ${expected}.`,
})

export const kindConflictError = defineError<{ readonly id: string }>({
  code: 'notification_kind_conflict',
  status: 500,
  title: 'Kind of notification is taken',
  message: ({ id }) => `The kind of notification “${id}” is declared already. Begin the id with that of the plugin.`,
})

export const kindUnknownError = defineError<{ readonly kind: string; readonly known: string }>({
  code: 'notification_kind_unknown',
  status: 422,
  title: 'Unknown kind of notification',
  message: ({ kind, known }) => `There is no kind of notification “${kind}”. Known are: ${known}.`,
})

export const kindMissingError = defineError<{ readonly kind: string }>({
  code: 'notification_kind_missing',
  status: 503,
  title: 'Kind of notification is missing',
  message: ({ kind }) => `No plugin declares the kind “${kind}” yet.`,
})

export const unsubscribeInvalidError = defineError<Record<string, never>>({
  code: 'unsubscribe_link_invalid',
  status: 404,
  title: 'Link not valid',
  message: () => 'This link is not valid. Open the whole address from the e-mail, or change your settings under Notifications.',
})

export const pushTargetInvalidError = defineError<{ readonly member: string; readonly expected: string }>({
  code: 'push_target_invalid',
  status: 422,
  title: 'Subscription cannot be used',
  message: ({ member, expected }) => `The member “${member}” of the subscription must be ${expected}.`,
})

export const tooManyDevicesError = defineError<{ readonly max: number }>({
  code: 'push_too_many_devices',
  status: 409,
  title: 'Too many devices',
  message: ({ max }) => `Notifications go to ${max} devices already, which is the maximum. Remove one of them first.`,
})

export const pushDisabledError = defineError<Record<string, never>>({
  code: 'push_disabled',
  status: 409,
  title: 'Notifications on devices are off',
  message: () => 'This service sends no notifications to devices: “push” is off in the settings of feature-notifications.',
})
