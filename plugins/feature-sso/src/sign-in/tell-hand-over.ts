import type { HandOverItem } from '@agent-service/sdk/contracts/user-data'
import type { ExternalHandOver } from '@agent-service/sdk/services/external-sign-in'
import type { NotificationKind, Notifications } from '@agent-service/sdk/services/notifications'

/** The notification for a person who got an account that existed before. */
export const handOverKind: NotificationKind = {
  id: 'account.handed_over',
  app: true,
  mail: true,
  audience: 'everyone',
  title: { en: 'Your account existed before you', de: 'Dein Konto gab es schon vor dir' },
  description: {
    en: 'Single sign-on gave you an account that someone had set up with your e-mail address.',
    de: 'Über Single Sign-on hast du ein Konto bekommen, das jemand mit deiner E-Mail-Adresse angelegt hatte.',
  },
}

/**
 * Tells a person once, however often they sign in, what was in the account that they got: who set it
 * up may have been a stranger.
 */
export function tellHandOver(
  notifications: Pick<Notifications, 'send'>,
  userId: string,
  { beganAt, folder, items }: ExternalHandOver,
): Promise<void> {
  const list = (outcome: HandOverItem['outcome']): string =>
    items
      .filter((item) => item.outcome === outcome)
      .map(({ what, count }) => `${what} (${count})`)
      .join(', ')
  const [ended, setAside, kept] = [list('ended'), list('set_aside'), list('kept')]
  const paragraphs = [
    'Someone had set up an account with your e-mail address, and never confirmed it. You have got this account by signing in. Its password, sessions and tokens have ended.',
    ended === '' ? '' : `Ended: ${ended}.`,
    setAside === '' ? '' : `Taken away, with a copy in the folder “${folder}” of your files: ${setAside}.`,
    kept === '' ? '' : `Still there: ${kept}, and files. If they are not yours, delete them.`,
    'If you want to begin with nothing at all, ask an administrator to delete the account, and sign in again.',
  ]
  return notifications.send({
    to: { userId },
    kind: handOverKind.id,
    key: `hand-over-${beganAt}`,
    title: 'Your account existed before you',
    text: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'),
    link: '/files',
  })
}
