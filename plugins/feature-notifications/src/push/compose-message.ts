import type { KindRegistry } from '../kinds/kind-registry.js'
import { cut } from '../service/check-input.js'
import type { PendingPush } from '../store/push-store.js'

const maxTitle = 100
const maxBody = 400

/** What the service worker of the console is given. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  /** A path of the console. */
  readonly link: string
  /** Messages about the same thing have the same tag: a newer one replaces the older one on the screen. */
  readonly tag: string
  /** How many notifications are unread. */
  readonly unread: number
}

/**
 * What a device shows: its kind in the language of the browser, and below it what has happened,
 * unless the person wants no contents on their screens.
 */
export function composeMessage(
  push: PendingPush,
  context: { readonly kinds: Pick<KindRegistry, 'get'>; readonly language: string; readonly content: boolean; readonly unread: number },
): PushMessage {
  const { kinds, language, content, unread } = context
  const kind = kinds.get(push.kind)?.title
  const name = kind?.[language] ?? kind?.en ?? push.title
  const details =
    push.title === kind?.en || push.title === name ? push.text : [push.title, push.text].filter((part) => part !== '').join('\n')
  return {
    title: cut(name, maxTitle),
    body: content ? cut(details, maxBody) : '',
    link: push.link ?? '/notifications',
    tag: push.topic,
    unread,
  }
}
